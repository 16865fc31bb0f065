import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { through } from '../serve/serving.js'
import { blockingPolicy, LONG_PATH as path, MANY } from './long-decisions.js'
import { line, startPrinting } from './run-cli.js'
import { slowPipe } from './slow-pipe.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-not-taken-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a gate that is told to end does so, although nobody takes what it printed', async () => {
  const { to } = slowPipe(folder)
  const options = ['--policy', blockingPolicy(folder), '--listen', '127.0.0.1:0', '--json']
  const child = startPrinting({ stdout: to }, 'gate', ...options)
  onTestFinished(() => void child.kill('SIGKILL'))
  closeSync(to)
  const gate = /http:\S+/.exec(await line(child, /the gate listens on/))?.[0] ?? ''
  for (let sent = 0; sent < MANY; sent++) await through({ gate }, 'example.com', path)
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
