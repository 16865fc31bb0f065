import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The files that a command line loads, as URLs. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-loading-'))
  const env = { ...process.env, NODE_V8_COVERAGE: folder }
  execFileSync(process.execPath, ['dist/node/cli/main.js', ...args], { cwd: ROOT, env })
  const reports = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  rmSync(folder, { recursive: true })
  return reports.flatMap((report) => {
    const { result } = JSON.parse(report) as {
      readonly result: readonly { readonly url: string }[]
    }
    return result.map(({ url }) => url)
  })
}

test('commands that do without the store do not load it, which takes longer than they do', () => {
  const loaded = loadedBy('--version')
  expect(loaded.filter((url) => url.endsWith('/dist/node/cli/main.js'))).toHaveLength(1)
  const ofStore = /\/node_modules\/(kysely|pg|zod|hono|@hono|yaml|pino)\//
  expect(loaded.filter((url) => ofStore.test(url))).toEqual([])
})
