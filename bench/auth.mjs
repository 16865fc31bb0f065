import { createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { compareServers, forkServer, serveSubject } from './measure/compare-servers.mjs'
import { loadHttp, refusesHttp } from './measure/load-http.mjs'
import { sendJwk, sentJwk } from './subjects/sent-jwk.mjs'
import { makeKey, makeTokens, spoil } from './subjects/tokens.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const LIVE_TOKENS = 1000
const OPERATIONS = 100
export const BARE = 'bare node:http'
/** For the comparison with servers that remember nothing, and the least that Node can do of that. */
export const COLD = 'portcullis, each token new'
export const BARE_COLD = 'bare node:http and node:crypto'

/** Servers to compare: the least that Node can do, then what answers a question. */
const SUBJECTS = new Map([
  [BARE, () => createServer((_request, response) => answer(response, 200))],
  [
    'fast-jwt, cached verify',
    async () => {
      const { createVerifier } = await import('fast-jwt')
      const key = sentKey().export({ type: 'spki', format: 'pem' })
      const cached = createVerifier({ key, cache: 2 * LIVE_TOKENS })
      return createServer(({ headers }, response) => {
        try {
          cached(headers.authorization.slice(7))
        } catch {
          return answer(response, 401)
        }
        return answer(response, 200)
      })
    },
  ],
  ...['auth-request', 'forward-auth', 'ext-authz'].map((dialect) => [
    `portcullis, ${dialect}`,
    () => service(dialect),
  ]),
  [COLD, () => service('ext-authz', { entries: 2, rejected: 2 })],
  [
    BARE_COLD,
    () => {
      const key = { key: sentKey(), dsaEncoding: 'ieee-p1363' }
      return createServer(({ headers }, response) => {
        const token = headers.authorization.slice(7)
        const end = token.lastIndexOf('.')
        const signature = Buffer.from(token.slice(end + 1), 'base64url')
        const good = verify('sha256', Buffer.from(token.slice(0, end)), key, signature)
        return answer(response, good ? 200 : 401)
      })
    },
  ],
])

const sentKey = () => createPublicKey({ key: sentJwk(), format: 'jwk' })

async function service(dialect, cacheOptions) {
  const { createVerdictCache } = await import('portcullis')
  const { createAuthService, createServerGate } = await import('portcullis/node')
  const server = createServer()
  const gate = createServerGate(zoneOf(sentJwk(), OPERATIONS, 1), createVerdictCache(cacheOptions))
  createAuthService({ gate, dialect }).attach(server)
  return server
}

function answer(response, status) {
  response.writeHead(status, ['Content-Length', '0']).end()
}

/** For `compareServers`. */
export const authSubject = (name) => ({
  name,
  kind: kindOf(name),
  checks: name !== BARE,
  start: () => forkServer(fileURLToPath(import.meta.url), name),
})

function kindOf(name) {
  if (name.startsWith('bare')) return 'floor'
  return name.startsWith('portcullis') ? 'ours' : 'peer'
}

/** A request that every dialect reads alike. */
function question(token, at) {
  const path = `/v1/things${at % OPERATIONS}/42`
  const host = 'h0.example.com'
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'X-Original-Method: GET',
    `X-Original-URI: ${path}`,
    'X-Forwarded-Method: GET',
    `X-Forwarded-Uri: ${path}`,
    `X-Forwarded-Host: ${host}`,
    'X-Forwarded-Proto: https',
    'X-Forwarded-For: 192.0.2.7',
    'User-Agent: bench',
    'Accept: */*',
    `Authorization: Bearer ${token}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** CPU time of the answering process per question, with a thousand live ES256 tokens. */
export async function run() {
  const key = makeKey('ES256')
  sendJwk(key)
  const warm = [...SUBJECTS.keys()].filter((name) => name !== COLD && name !== BARE_COLD)
  const tokens = makeTokens(key, LIVE_TOKENS)
  const load = loadHttp(tokens.map(question), 0)
  const refuses = refusesHttp(question(spoil(tokens[0]), 0))
  return { rows: await compareServers('16 connections', warm.map(authSubject), load, refuses) }
}

if (process.argv[2] === '--serve') serveSubject(await SUBJECTS.get(process.argv[3])())
