import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const server = JSON.stringify(new URL('one-postgres.mjs', import.meta.url).href)

test('the Postgres of the tests leaves the exit code to them: what failed does not end with 0', () => {
  const code = `const end = await (await import(${server})).default(); process.exitCode = 3; await end()`
  const { DATABASE_URL: _, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    env,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([3, ''])
}, 120_000)
