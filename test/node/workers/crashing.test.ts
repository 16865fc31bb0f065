import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  gateWorkers,
  type GateWorkersOptions,
  type WorkerEvent,
} from '../../../src/node/workers/index.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-crashing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a worker answers, where it is no empty list. */
const ANSWERS = `
  const answers = { listen: 'http://here', count: { decisions: [], failures: [], cache: {} } }
`

/** A worker that says it listens, and ends when a file is there. */
const PROGRAM = `
  const { existsSync } = require('node:fs')
  const dies = ${JSON.stringify(join(folder, 'dies'))}
  process.on('disconnect', () => process.exit())
  process.on('message', ({ id, task }) => {
    if (existsSync(dies)) process.exit(3)
    process.send({ id, answer: answers[task] ?? [] }, () => {
      if (task === 'close') process.exit()
    })
  })
  setInterval(() => existsSync(dies) && process.exit(3), 5)
  process.send({ id: 0, answer: null })
`

/** One that ends as soon as it is started, the first of its kind, and others that wait for that. */
const FIRST_ENDS = `
  const { existsSync, mkdirSync } = require('node:fs')
  const [first, gone] = ${JSON.stringify([join(folder, 'first'), join(folder, 'gone')])}
  process.on('disconnect', () => process.exit())
  let isFirst = true
  try {
    mkdirSync(first)
  } catch {
    isFirst = false
  }
  process.on('message', async ({ id, task }) => {
    while (!isFirst && !existsSync(gone)) await new Promise((done) => setTimeout(done, 5))
    process.send({ id, answer: answers[task] ?? [] }, () => {
      if (isFirst) process.exit(3)
      if (task === 'close') process.exit()
    })
  })
  process.send({ id: 0, answer: null })
`

/** One that ends when it is given a policy with a certain name. */
const ENDS_BY_POLICY = `
  process.on('disconnect', () => process.exit())
  process.on('message', ({ id, task, given }) => {
    if (task === 'put' && JSON.stringify(given).includes('too much')) process.exit(3)
    process.send({ id, answer: answers[task] ?? [] }, () => {
      if (task === 'close') process.exit()
    })
  })
  process.send({ id: 0, answer: null })
`

/** Gates whose workers run a program. */
function start(program: string, more: Partial<GateWorkersOptions>) {
  const file = join(folder, 'worker.cjs')
  writeFileSync(file, ANSWERS + program)
  return gateWorkers({
    workers: 1,
    program: [file],
    secretVariables: [],
    listen: { host: '127.0.0.1', port: 0 },
    voice: null,
    onEvent: () => {},
    ...more,
  })
}

test('a worker that ends again and again is waited for longer each time, until one works', async () => {
  const events: WorkerEvent[] = []
  const pausesMs: number[] = []
  let clock = 0
  let goOn: (() => void) | undefined
  const gates = start(PROGRAM, {
    onEvent: (event) => events.push(event),
    now: () => clock,
    async pause(milliseconds) {
      pausesMs.push(milliseconds)
      if (pausesMs.length === 6) await new Promise<void>((done) => (goOn = done))
    },
  })
  await gates.put({ id: 'z', name: 'example.com' })
  await gates.listen()
  expect(gates.live).toBe(1)
  clock = 3_600_000
  writeFileSync(join(folder, 'dies'), '')
  await expect.poll(() => pausesMs, { timeout: 20_000 }).toEqual([0, 100, 200, 400, 800, 1600])
  expect(gates.live).toBe(0)
  expect(events.filter(({ kind }) => kind === 'ended')).toHaveLength(6)
  expect(events.at(-1)).toMatchObject({ kind: 'ended', how: 'exit code 3' })

  rmSync(join(folder, 'dies'))
  goOn?.()
  await expect.poll(() => gates.live, { timeout: 20_000 }).toBe(1)
  expect(events.at(-1)).toMatchObject({ kind: 'started' })
  await gates.close(0)
  expect(gates.live).toBe(0)
})

test('one that ends before the others are there is replaced as soon as they listen', async () => {
  const gates = start(FIRST_ENDS, {
    workers: 2,
    onEvent({ kind }) {
      if (kind === 'ended') writeFileSync(join(folder, 'gone'), '')
    },
  })
  await gates.put({ id: 'z', name: 'example.com' })
  await gates.listen()
  await expect.poll(() => gates.live, { timeout: 20_000 }).toBe(2)
  await gates.close(0)
})

test('a policy by which each process ends is told as that, and the one before stays', async () => {
  const events: WorkerEvent[] = []
  const tooMuch = { id: 'z', name: 'too much.example' }
  const ended = 'the gate processes that were given the policy ended'
  await expect(start(ENDS_BY_POLICY, {}).put(tooMuch)).rejects.toThrow(ended)
  const gates = start(ENDS_BY_POLICY, { workers: 2, onEvent: (event) => events.push(event) })
  await gates.put({ id: 'z', name: 'example.com' })
  await gates.listen()
  await expect(gates.put(tooMuch)).rejects.toThrow(ended)
  await expect.poll(() => gates.live, { timeout: 20_000 }).toBe(2)
  await gates.put({ id: 'z', name: 'example.org' })
  expect(events.filter(({ kind }) => kind === 'ended').length).toBeLessThanOrEqual(4)
  await gates.close(0)
})
