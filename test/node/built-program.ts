import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * A program of the tests, ready to be run: Node 20 reads no TypeScript.
 *
 * @param source such as `new URL('./program.ts', import.meta.url)`
 * @param name of the file, unique among those of the tests
 */
export async function builtProgram(source: URL, name: string): Promise<string> {
  // Within the package, whose dependencies it finds by their names.
  const folder = join(ROOT, '.tmp', 'programs')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `${name}-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  })
  return outfile
}
