import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { through } from '../serve/serving.js'
import { blockingPolicy, LONG_PATH as path, MANY } from './long-decisions.js'
import { line, startCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-printed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a gate process that ends leaves out no decision that a slow reader has not taken', async () => {
  const file = blockingPolicy(folder)
  const listen = ['--listen', '127.0.0.1:0', '--workers', '1', '--json']
  const child = startCli('gate', '--policy', file, ...listen)
  const gate = /http:\S+/.exec(await line(child, /the gate listens on/))?.[0] ?? ''
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part))
  child.stdout?.pause()
  for (let sent = 0; sent < MANY; sent++) await through({ gate }, 'example.com', path)
  const finishing = line(child, /finishing open requests/)
  const closed = new Promise((resolve) => void child.once('close', resolve))
  child.kill('SIGTERM')
  await finishing
  await delay(1000)
  child.stdout?.resume()
  expect(await closed).toBe(0)
  const lines = text.split('\n').slice(0, -1)
  expect(lines).toHaveLength(MANY)
  for (const each of lines) expect(JSON.parse(each)).toMatchObject({ path, action: 'block' })
})
