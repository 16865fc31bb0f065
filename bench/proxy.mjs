import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { compareServers, forkServer, serveSubject } from './measure/compare-servers.mjs'
import { CONNECTIONS, loadHttp, refusesHttp } from './measure/load-http.mjs'
import { sendJwk, sentJwk } from './subjects/sent-jwk.mjs'
import { makeKey, makeTokens, spoil } from './subjects/tokens.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const LIVE_TOKENS = 1000
const OPERATIONS = 100
const RULES = 10
/** The one that looks at tokens. */
const GUARDED = 'portcullis, 100 operations, 10 rules'

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
    'portcullis, a zone without rules',
    (origin) => proxy(origin, { id: 'zone', name: 'example.com' }),
  ],
  [GUARDED, (origin) => proxy(origin, zoneOf(sentJwk(), OPERATIONS, RULES))],
])

async function proxy(origin, zone) {
  const { createVerdictCache } = await import('portcullis')
  const { createProxy, createServerGate } = await import('portcullis/node')
  const server = createServer()
  const gate = createServerGate(zone, createVerdictCache())
  createProxy({ gate, upstream: () => origin }).attach(server)
  return server
}

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

function question(token, at) {
  const lines = [
    `GET /v1/things${at % OPERATIONS}/42?x=1 HTTP/1.1`,
    `Host: h${at % RULES}.example.com`,
    'User-Agent: bench',
    'Accept: */*',
    'Accept-Encoding: gzip',
    'Cookie: a=b; c=d',
    'X-Request-Id: 123456',
    `Authorization: Bearer ${token}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

function upstream() {
  const body = Buffer.alloc(1024, 'a')
  return createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length })
    response.end(body)
  })
}

/** CPU time of the proxying process per request: 1,000 live ES256 tokens, answers of 1 KiB. */
export async function run() {
  const key = makeKey('ES256')
  sendJwk(key)
  const tokens = makeTokens(key, LIVE_TOKENS)
  const load = loadHttp(tokens.map(question), 1024)
  const refuses = refusesHttp(question(spoil(tokens[0]), 0))
  const file = fileURLToPath(import.meta.url)
  const origin = await forkServer(file, 'upstream')
  const url = `http://127.0.0.1:${origin.port}`
  const servers = [...SUBJECTS.keys()].map((name) => ({
    name,
    kind: name.startsWith('portcullis') ? 'ours' : 'floor',
    checks: name === GUARDED,
    start: () => forkServer(file, name, url),
  }))
  const rows = await compareServers('16 connections', servers, load, refuses)
  origin.stop()
  return { rows }
}

if (process.argv[2] === '--serve') {
  const [, , , name, origin] = process.argv
  serveSubject(name === 'upstream' ? upstream() : await SUBJECTS.get(name)(origin))
}
