import type { ChildProcess } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { through } from '../serve/serving.js'
import { blockingPolicy, LONG_PATH as path, MANY } from './long-decisions.js'
import { line, startPrinting } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-whole-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = blockingPolicy(folder)

/** A pipe of the system, which is read in pieces shorter than a line. */
function pipe() {
  const name = join(folder, 'pipe')
  execFileSync('mkfifo', [name])
  const from = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK)
  const to = openSync(name, constants.O_WRONLY)
  const piece = Buffer.alloc(1000)
  let text = ''
  /** False at the end. */
  function read(): boolean {
    try {
      const length = readSync(from, piece)
      text += piece.toString('utf8', 0, length)
      return length > 0
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause
      return true
    }
  }
  return {
    to,
    async lines() {
      while (read()) await turn()
      closeSync(from)
      return text.split('\n').slice(0, -1)
    },
  }
}

function started(stdout: number): ChildProcess {
  const options = ['--policy', file, '--listen', '127.0.0.1:0', '--workers', '2', '--json']
  const child = startPrinting(stdout, 'gate', ...options)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('each decision of several gate processes is a line of its own, however slowly it is read', async () => {
  const { to, lines } = pipe()
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
