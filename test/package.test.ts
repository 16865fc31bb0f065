import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const manifest: { exports: Record<string, unknown>; version: string } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
)

/** Bundles a module as a worker's build would. */
async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root.pathname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['node:*'],
  })
  return outputFiles[0]?.text ?? ''
}

describe('the package', () => {
  test('its command may be run where it is built', () => {
    expect(statSync('dist/node/cli/main.js').mode & 0o111).toBe(0o111)
  })

  test.each(Object.keys(manifest.exports))('the door %s opens', async (door) => {
    const name = door === '.' ? 'portcullis' : `portcullis/${door.slice(2)}`
    const opened: unknown = door.endsWith('.json')
      ? await import(name, { with: { type: 'json' } })
      : await import(name)
    expect(Object.keys(opened as object)).not.toEqual([])
  })

  test('the edge engine, whole, bundled for workers, has no node: import and stays under 25 kB gzipped', async () => {
    const code = await bundle("export * from 'portcullis'")
    expect(code).not.toMatch(/["']node:/)
    expect(code).not.toMatch(/\b(eval|Function)\s*\(/)
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(25_000)
  })

  test('an embedder who imports createGate alone gets less than the whole', async () => {
    const whole = await bundle("export * from 'portcullis'")
    const gate = await bundle("export { createGate } from 'portcullis'")
    expect(gate.length).toBeLessThan(whole.length)
  })

  test('the command tells its version', () => {
    const out = execFileSync(process.execPath, ['dist/node/cli/main.js', '--version'], {
      cwd: root,
    })
    expect(out.toString().trim()).toBe(manifest.version)
  })
})
