import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryObjects } from 'node:v8'
import { afterAll, expect, test } from 'vitest'
import { workerLink, type WorkerLink } from '../../../src/node/workers/worker-link.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-link-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Answers everything but `put`, for which it has no answer, and `listen`, at which it ends. */
const PROGRAM = `
  process.on('disconnect', () => process.exit())
  process.on('message', ({ id, task }) => {
    if (task === 'listen') process.exit(3)
    if (task !== 'put') process.send({ id, answer: task })
  })
  process.send({ id: 0, answer: null })
`

function start(program = PROGRAM): WorkerLink {
  const file = join(folder, 'worker.cjs')
  writeFileSync(file, program)
  return workerLink(fork(file, { execArgv: [] }), () => {})
}

const shipment = { form: 'whole', rest: 'null', zones: [] } as const
const isOver = { name: 'WorkerEnded', message: 'a worker ended: exit code 3' }

test('a worker that ends leaves no question open, and takes no more', async () => {
  const link = start()
  const all = [link.ask('put', shipment), link.ask('put', shipment), link.ask('listen', undefined)]
  for (const told of await Promise.allSettled(all))
    expect(told).toMatchObject({ status: 'rejected', reason: isOver })
  expect(await link.ended).toBe('exit code 3')
  await expect(link.ask('count', undefined)).rejects.toMatchObject(isOver)
})

test('nor does one that ends before it has said anything', async () => {
  const link = start('process.exit(3)')
  await expect(link.ask('count', undefined)).rejects.toMatchObject(isOver)
})

test('one that does not answer in time is ended', async () => {
  const link = start()
  await link.ask('count', undefined)
  await expect(link.ask('put', shipment, 50)).rejects.toThrow('a worker ended: SIGKILL')
})

test('one that answered while this process stood still is not ended for it', async () => {
  const link = start()
  await link.ask('count', undefined)
  const told = link.ask('count', undefined, 50)
  await new Promise(setImmediate)
  // As a process that is stopped, or a machine that is suspended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
  expect(await told).toBe('count')
  expect(await link.ask('count', undefined)).toBe('count')
  link.kill()
  await link.ended
})

test('questions that are answered leave nothing behind, though there be one each second', async () => {
  const link = start()
  await link.ask('count', undefined)
  const before = queryObjects(Promise, { format: 'count' })
  for (let asked = 0; asked < 200; asked++) await link.ask('count', undefined)
  expect(queryObjects(Promise, { format: 'count' }) - before).toBeLessThan(200)
  link.kill()
  await link.ended
})
