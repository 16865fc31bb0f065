import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { LONG_PATH as path, MANY } from '../cli/long-decisions.js'
import { line, startPrinting } from '../cli/run-cli.js'
import { slowPipe } from '../cli/slow-pipe.js'
import { through } from './serving.js'

/** Of one hundred it may be that none meets another where the pipe is full. */
const ASKED = 4 * MANY

const folder = mkdtempSync(join(tmpdir(), 'portcullis-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('each line of the log of several processes stays whole, however slowly it is read', async () => {
  const { to, lines } = slowPipe(folder)
  const listen = ['--listen', '127.0.0.1:0', '--gate', '127.0.0.1:0']
  const options = ['--data', join(folder, 'data'), '--workers', '2', '--log-level', 'debug']
  const child = startPrinting({ stderr: to }, 'serve', ...options, ...listen)
  onTestFinished(() => void child.kill('SIGKILL'))
  closeSync(to)
  const gate = /http:\S+/.exec(await line(child, /The gate listens on/))?.[0] ?? ''
  const read = lines()
  await Promise.all(Array.from({ length: ASKED }, () => through({ gate }, 'example.com', path)))
  child.kill('SIGTERM')
  const told = (await read).map((each) => JSON.parse(each) as { msg: string; pid?: number })
  const decisions = told.filter(({ msg }) => msg === 'decision')
  expect(decisions).toHaveLength(ASKED)
  expect(new Set(decisions.map(({ pid }) => pid)).size).toBe(2)
  expect(told.map(({ msg }) => msg)).toContain('finishing open requests')
})
