import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { through } from '../serve/serving.js'
import { blockingPolicy, LONG_PATH as path, MANY } from './long-decisions.js'
import { line, startPrinting } from './run-cli.js'
import { slowPipe } from './slow-pipe.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-whole-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = blockingPolicy(folder)

function started(stdout: number): ChildProcess {
  const options = ['--policy', file, '--listen', '127.0.0.1:0', '--workers', '2', '--json']
  const child = startPrinting({ stdout }, 'gate', ...options)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('each decision of several gate processes is a line of its own, however slowly it is read', async () => {
  const { to, lines } = slowPipe(folder)
  const child = started(to)
  closeSync(to)
  const gate = /http:\S+/.exec(await line(child, /the gate listens on/))?.[0] ?? ''
  const ask = () => through({ gate }, 'example.com', path)
  await Promise.all(Array.from({ length: MANY }, ask))
  child.kill('SIGTERM')
  const printed = await lines()
  expect(printed).toHaveLength(MANY)
  for (const each of printed) expect(JSON.parse(each)).toMatchObject({ path, action: 'block' })
})
