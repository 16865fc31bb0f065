import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '../built-program.js'
import { upstream } from './stage.js'

const GIGABYTE = 1024 ** 3
const PART = Buffer.alloc(64 * 1024, 'portcullis')

// From Node 22 on V8 lets 64 KiB parts of bodies lie about longer before it collects them: about
// 180 MB at its own choice, about 115 MB with a young generation of 1 MB.
const [major = '0'] = process.versions.node.split('.')
const YOUNG_GENERATION = Number(major) < 22 ? [] : ['--max-semi-space-size=1']

let program = ''

// The proxy runs in a process of its own, whose memory is its own.
beforeAll(async () => {
  program = await builtProgram(new URL('./proxy-process.ts', import.meta.url), 'proxy')
})
afterAll(() => rmSync(program))

async function run(origin: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(program, [origin], { execArgv: [...YOUNG_GENERATION] })
  const [port] = (await once(child, 'message')) as [number]
  return { child, port }
}

/** Peak resident memory in MB, as the process itself knows it. */
async function peak(child: ChildProcess): Promise<number> {
  child.send('peak')
  const [kilobytes] = (await once(child, 'message')) as [number]
  return kilobytes / 1024
}

/** Writes a gigabyte, as fast as it is taken. */
function pour(into: Writable): void {
  let left = GIGABYTE / PART.length
  const more = () => {
    while (left > 0) {
      left--
      if (!into.write(PART)) return
    }
    into.off('drain', more).end()
  }
  into.on('drain', more)
  more()
}

async function measure(from: Readable): Promise<number> {
  let bytes = 0
  from.on('data', (part: Buffer) => (bytes += part.length))
  await once(from, 'end')
  return bytes
}

test('a gigabyte goes through in either direction with less than 150 MB of memory', async () => {
  const origin = await upstream((message, response) => {
    if (message.method === 'GET') return pour(response)
    return void measure(message).then((bytes) => response.end(String(bytes)))
  })
  const { child, port } = await run(origin)
  try {
    const ask = (method: string) =>
      request({ port, host: '127.0.0.1', agent: false, method, headers: { host: 'shop.example' } })
    const download = ask('GET').end()
    const [down] = (await once(download, 'response')) as [IncomingMessage]
    expect(await measure(down)).toBe(GIGABYTE)

    const upload = ask('POST')
    pour(upload)
    const [up] = (await once(upload, 'response')) as [IncomingMessage]
    expect(String((await once(up, 'data'))[0])).toBe(String(GIGABYTE))

    expect(await peak(child)).toBeLessThan(150)
  } finally {
    child.kill()
  }
}, 120_000)
