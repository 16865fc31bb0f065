import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { compareServers, forkServer, serveSubject } from './measure/compare-servers.mjs'
import { loadHttp, refusesHttp } from './measure/load-http.mjs'
import { sendJwk, sentJwk } from './subjects/sent-jwk.mjs'
import { makeKey, makeTokens, spoil } from './subjects/tokens.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const LIVE_TOKENS = 1000
const OPERATIONS = 100
/** For the comparison with servers that remember nothing. */
export const COLD = 'portcullis, each token new'

/** Servers to compare: the least that Node can do, then what answers a question. */
const SUBJECTS = new Map([
  ['bare node:http', () => createServer((_request, response) => allow(response))],
  [
    'fast-jwt, cached verify',
    async () => {
      const { createVerifier } = await import('fast-jwt')
      const { createPublicKey } = await import('node:crypto')
      const key = createPublicKey({ key: sentJwk(), format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      })
      const verify = createVerifier({ key, cache: 2 * LIVE_TOKENS })
      return createServer(({ headers }, response) => {
        try {
          verify(headers.authorization.slice(7))
        } catch {
          return response.writeHead(401, ['Content-Length', '0']).end()
        }
        return allow(response)
      })
    },
  ],
  ...['auth-request', 'forward-auth', 'ext-authz'].map((dialect) => [
    `portcullis, ${dialect}`,
    () => service(dialect),
  ]),
  [COLD, () => service('ext-authz', { entries: 2, rejected: 2 })],
])

async function service(dialect, cacheOptions) {
  const { createVerdictCache } = await import('portcullis')
  const { createAuthService, createServerGate } = await import('portcullis/node')
  const server = createServer()
  const gate = createServerGate(zoneOf(sentJwk(), OPERATIONS, 1), createVerdictCache(cacheOptions))
  createAuthService({ gate, dialect }).attach(server)
  return server
}

function allow(response) {
  response.writeHead(200, ['Content-Length', '0']).end()
}

/** For `compareServers`. */
export const authSubject = (name) => ({
  name,
  kind: kindOf(name),
  checks: kindOf(name) !== 'floor',
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
  const servers = [...SUBJECTS.keys()].filter((name) => name !== COLD).map(authSubject)
  const tokens = makeTokens(key, LIVE_TOKENS)
  const load = loadHttp(tokens.map(question), 0)
  const refuses = refusesHttp(question(spoil(tokens[0]), 0))
  return { rows: await compareServers('16 connections', servers, load, refuses) }
}

if (process.argv[2] === '--serve') serveSubject(await SUBJECTS.get(process.argv[3])())
