import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readOperations } from '../../../src/management/index.js'
import { createDocumentReader } from '../../../src/node/documents/index.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-documents-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const zone = { name: 'example.com', mergeSlashes: true }
const ok = { responses: { 200: { description: 'ok' } } }
const shop = {
  openapi: '3.1.0',
  servers: [{ url: 'https://api.example.com/v1' }, { url: 'https://elsewhere.example' }],
  paths: { '/carts/{id}': { get: ok, put: ok }, '/b{c}': { get: ok } },
}
/** Takes a second or so to read. */
const slow = Array.from({ length: 20_000 }, (_, at) => `? [k${at}, [x]]\n: {y: *a}`).join('\n')
const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
for (const [at, name] of [...'bcdefghi'].entries())
  bomb.push(`${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[at]}`).join(', ')}]`)

describe('a document in a process of its own', () => {
  test.each([
    ['JSON, with what is left out', JSON.stringify(shop)],
    ['YAML with aliases', stringify(shop)],
    ['broken JSON, with line and column', '{"openapi": "3.1.0",\n "paths" {}}'],
    ['broken YAML, with line and column', 'openapi: 3.1.0\npaths:\n\t/a: {}'],
    ['a key that stands twice', 'openapi: 3.1.0\npaths: {}\npaths: {}'],
    ['faults with their pointers', stringify({ ...shop, paths: { a: {}, '/b': { get: 1 } } })],
    ['nothing in the zone', JSON.stringify({ ...shop, servers: [{ url: 'https://x.example' }] })],
    ['a bomb of aliases', bomb.join('\n')],
    ['brackets in brackets', '['.repeat(20_000)],
  ])('is read as here: %s', async (_, text) => {
    const there = await createDocumentReader()(text, zone)
    expect(there).toEqual(await readOperations(text, zone))
  })

  test('holds up nothing here', async () => {
    let turns = 0
    const done = new AbortController()
    const reading = createDocumentReader()(slow, zone).finally(() => done.abort())
    while (!done.signal.aborted) {
      turns++
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(await reading).toHaveProperty('errors')
    expect(turns).toBeGreaterThan(20)
  })

  test.skipIf(!existsSync('/proc/self/status'))(
    'reads on when signals reach the whole group, as of Ctrl-C (skipped where there is no /proc)',
    async () => {
      const child = fork('dist/node/documents/document-program.js', { serialization: 'advanced' })
      child.send({ text: slow, zone })
      const ended = once(child, 'exit')
      const message = once(child, 'message')
      await expect.poll(() => caughtSignals(child.pid)).toEqual(SIGNALS)
      for (const signal of SIGNALS) child.kill(signal)
      const [reading] = await Promise.race([message, ended])
      expect(reading).toHaveProperty('errors')
      expect(await ended).toEqual([0, null])
    },
  )
})

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** Those of the signals that a process handles itself. */
function caughtSignals(pid: number | undefined) {
  const [, mask = ''] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return SIGNALS.filter((name) => BigInt(`0x${mask}`) & (1n << BigInt(constants.signals[name] - 1)))
}

/** How every program starts: it is sent what to read, and ends once it told of it. */
const START = `
  const { text } = await new Promise((resolve) => process.once('message', resolve))
  const tell = (reading) => process.send(reading, () => process.disconnect())`

let programs = 0

/** A reader whose processes run another program. */
function readerOf(program: string, options: object = {}) {
  const file = join(folder, `program-${++programs}.mjs`)
  writeFileSync(file, `${START}\n${program}`)
  return createDocumentReader({ program: file, ...options })
}

describe('a process that misbehaves', () => {
  test('is ended when it takes too long, and the next document is read', async () => {
    const program = `
      if (text === 'hangs') for (;;);
      tell({ errors: [] })`
    const read = readerOf(program, { withinMs: 2000 })
    const hangs = read('hangs', zone)
    const next = read('next', zone)
    await expect(hangs).rejects.toMatchObject({ name: 'ReadingError', code: 'slow' })
    expect(await next).toEqual({ errors: [] })
  })

  test('is ended with its process, and so are those that wait', async () => {
    const ending = new AbortController()
    const read = readerOf('for (;;);', { ended: ending.signal })
    const all = Promise.allSettled([read('hangs', zone), read('waits', zone)])
    // The first process is there by now, or is never started.
    await new Promise((resolve) => setImmediate(resolve))
    ending.abort()
    for (const told of await all)
      expect(told).toMatchObject({ reason: { name: 'ReadingError', code: 'busy' } })
    await expect(read('late', zone)).rejects.toMatchObject({ code: 'busy' })
  })

  test('is ended when it takes too much memory', async () => {
    const read = readerOf('const all = []; for (;;) all.push(new Array(1000).fill({}))', {
      memoryMb: 16,
    })
    await expect(read('x', zone)).rejects.toMatchObject({ name: 'ReadingError', code: 'large' })
  })

  test.each([
    ['breaks', "throw new TypeError('broken')", /broken/],
    ['ends without a word', 'process.exit(0)', /ended with 0/],
  ])('is told of when it %s', async (_, program, message) => {
    await expect(readerOf(program)('x', zone)).rejects.toThrow(message)
  })

  test('sees no variable of the environment', async () => {
    process.env['PORTCULLIS_SECRET_KEY_OF_THE_TEST'] = 'secret'
    const read = readerOf('tell({ errors: Object.keys(process.env) })')
    expect(await read('x', zone)).toEqual({ errors: [] })
    delete process.env['PORTCULLIS_SECRET_KEY_OF_THE_TEST']
  })

  test('lets so many wait and refuses the rest at once', async () => {
    const read = readerOf('tell({ errors: [] })', { waiting: 2 })
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => read('x', zone)))
    expect(all.map(({ status }) => status)).toEqual([
      ...Array(3).fill('fulfilled'),
      ...Array(2).fill('rejected'),
    ])
    expect(all.at(-1)).toMatchObject({ reason: { name: 'ReadingError', code: 'busy' } })
    expect(await read('x', zone)).toEqual({ errors: [] })
  })
})
