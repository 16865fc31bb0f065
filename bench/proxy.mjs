import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 13)
const REQUESTS = Number(process.env.BENCH_SAMPLE_MS ?? 20) * 250
const CONNECTIONS = 16
const HEAD =
  'GET /api/orders/42?x=1 HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: bench\r\nAccept: */*\r\n' +
  'Accept-Encoding: gzip\r\nCookie: a=b; c=d\r\nX-Request-Id: 123456\r\n\r\n'

/** Servers to compare, each in a process of its own: the least that undici can do, then the proxy. */
const SUBJECTS = new Map([
  [
    'bare undici dispatch',
    async (origin) => {
      const { Pool } = await import('undici')
      const pool = new Pool(origin, { connections: CONNECTIONS })
      return createServer((request, response) => dispatch(pool, request, response))
    },
  ],
  [
    'bare undici Pool.request',
    async (origin) => {
      const { Pool } = await import('undici')
      const pool = new Pool(origin, { connections: CONNECTIONS })
      return createServer(async ({ url: path, method, headers: asked }, response) => {
        const { statusCode, headers, body } = await pool.request({ path, method, headers: asked })
        response.writeHead(statusCode, headers)
        body.pipe(response)
      })
    },
  ],
  [
    'portcullis, one zone',
    async (origin) => {
      const { createGate } = await import('portcullis')
      const { createProxy, nodeCrypto } = await import('portcullis/node')
      const gate = createGate({ id: 'zone', name: 'shop.example' }, { crypto: nodeCrypto() })
      const server = createServer()
      createProxy({ gate, upstream: () => origin }).attach(server)
      return server
    },
  ],
])

function dispatch(pool, request, response) {
  const { url: path, method, rawHeaders: headers } = request
  pool.dispatch(
    { path, method, headers },
    {
      onRequestStart() {},
      onResponseStart({ rawHeaders }, status, _headers, reason) {
        response.writeHead(
          status,
          reason,
          rawHeaders.map((text) => text.toString('latin1')),
        )
      },
      onResponseData(_controller, chunk) {
        response.write(chunk)
      },
      onResponseEnd() {
        response.end()
      },
      onResponseError() {
        response.destroy()
      },
    },
  )
}

function upstream() {
  const body = Buffer.alloc(1024, 'a')
  return createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length })
    response.end(body)
  })
}

/** Sends requests one after the other on each connection; gives requests per second. */
async function load(port, requests) {
  let left = requests
  const begin = performance.now()
  const ask = (socket) => {
    let missing = 0
    const next = () => (left-- > 0 ? socket.write(HEAD) : socket.end())
    socket.on('data', (part) => {
      if (missing === 0) missing = part.indexOf('\r\n\r\n') + 4 + 1024
      missing -= part.length
      if (missing === 0) next()
    })
    next()
  }
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.once('connect', () => ask(socket))
  await Promise.all(sockets.map((socket) => once(socket, 'close')))
  return requests / ((performance.now() - begin) / 1000)
}

/** In a process of its own: listens, and tells its CPU time and memory when asked. */
async function serve(name, origin) {
  const server = name === 'upstream' ? upstream() : await SUBJECTS.get(name)(origin)
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system, rss: process.memoryUsage().rss })
  })
  process.on('disconnect', () => process.exit())
}

async function start(...args) {
  const child = fork(fileURLToPath(import.meta.url), ['--serve', ...args])
  const [port] = await once(child, 'message')
  const ask = async () => {
    child.send('usage')
    return (await once(child, 'message'))[0]
  }
  return { child, port, ask }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

/** CPU time of the proxying process per request of 1 KiB, beside bare undici in the same rounds. */
export async function run() {
  const origin = await start('upstream')
  const subjects = []
  for (const name of SUBJECTS.keys()) {
    const running = await start(name, `http://127.0.0.1:${origin.port}`)
    await load(running.port, REQUESTS)
    subjects.push({ name, ...running, cpu: [], rates: [] })
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) {
      const before = await subject.ask()
      subject.rates.push(await load(subject.port, REQUESTS))
      subject.rss = (await subject.ask()).rss
      subject.cpu.push(((await subject.ask()).cpu - before.cpu) / REQUESTS)
    }
  }
  for (const { child } of [origin, ...subjects]) child.disconnect()
  const rows = subjects.map(({ name, cpu, rates, rss }) => ({
    name,
    cpu_us: median(cpu),
    per_second: Math.round(median(rates)),
    rss_mb: Math.round(rss / 1e6),
    ratio: median(cpu) / median(subjects[0].cpu),
  }))
  console.log('\nproxy, 1 KiB answers on 16 connections')
  console.table(
    rows.map((row) => ({
      ...row,
      cpu_us: row.cpu_us.toFixed(1),
      ratio: `${row.ratio.toFixed(2)}x`,
    })),
  )
  return { title: 'proxy', rows }
}

if (process.argv[2] === '--serve') await serve(process.argv[3], process.argv[4])
