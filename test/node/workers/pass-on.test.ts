import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { passOn } from '../../../src/node/workers/pass-on.js'

/** A process that prints what a test says. */
const printer = () => ({ stdout: new PassThrough(), stderr: new PassThrough() })

/** A reader that takes one piece whenever it is told to. */
function slowReader() {
  let taken: (() => void) | undefined
  const pieces: string[] = []
  const stdout = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece.toString())
      taken = done
    },
  })
  return { to: { stdout, stderr: stdout }, pieces, take: () => taken?.() }
}

function reader() {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const text = () => [stdout, stderr].map((stream) => String(stream.read() ?? ''))
  return { to: { stdout, stderr }, text }
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn()
}

test('lines that two processes print by halves do not mix', async () => {
  const { to, text } = reader()
  const [one, other] = [printer(), printer()]
  const passed = Promise.all([passOn(one, to), passOn(other, to)])
  for (const half of ['ab', 'c\nde'])
    for (const { stdout } of [one, other]) {
      stdout.write(half)
      await settle()
    }
  for (const { stdout, stderr } of [one, other]) {
    stderr.end('failed\n')
    stdout.end('f\n')
  }
  await passed
  expect(text()).toEqual(['abc\nabc\ndef\ndef\n', 'failed\nfailed\n'])
})

test('the line in which a process ends is ended, also when its stream is broken off', async () => {
  const { to, text } = reader()
  const [one, other] = [printer(), printer()]
  const passed = Promise.all([passOn(one, to), passOn(other, to)])
  one.stdout.write('whole\nhal')
  await settle()
  one.stdout.destroy(new Error('it is gone'))
  one.stderr.end()
  other.stdout.end('next\n')
  other.stderr.end()
  await passed
  expect(text()).toEqual(['whole\nnext\nhal\n', ''])
})

test('nothing is read from a process while what it printed before is not taken', async () => {
  const { to, pieces, take } = slowReader()
  const one = printer()
  void passOn(one, to)
  let printed = 0
  while (one.stdout.write(`${'x'.repeat(999)}\n`)) printed++
  await settle()
  for (let more = 0; more < 3; more++) {
    while (one.stdout.write(`${'x'.repeat(999)}\n`)) printed++
    await settle()
  }
  expect(pieces.length).toBe(1)
  expect(printed).toBeLessThan(200)
  const drained = once(one.stdout, 'drain')
  const taking = setInterval(take)
  await drained
  clearInterval(taking)
})

test('a process is read on when nobody reads what it prints any more', async () => {
  const broken = new Writable({ write: (_, __, done) => done(new Error('EPIPE')) })
  broken.on('error', () => {})
  const one = printer()
  const passed = passOn(one, { stdout: broken, stderr: broken })
  for (let written = 0; written < 1000; written++) {
    one.stdout.write(`${'x'.repeat(999)}\n`)
    if (written % 10 === 0) await settle()
  }
  one.stdout.end()
  one.stderr.end()
  await passed
})

test('a line that never ends is passed on in pieces', async () => {
  const { to, text } = reader()
  const one = printer()
  to.stdout.setEncoding('utf8')
  void passOn(one, to)
  for (let written = 0; written < 40; written++) {
    one.stdout.write('x'.repeat(64 * 1024))
    await settle()
  }
  const [line = ''] = text()
  expect(line.indexOf('\n')).toBe(1024 * 1024)
})

test('a process that could not be started prints nothing', async () => {
  await passOn({ stdout: null, stderr: null }, reader().to)
})
