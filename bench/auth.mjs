import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { compareServers, forkServer, serveSubject } from './http-subjects.mjs'
import { makeKey, makeToken } from './tokens.mjs'

const LIVE_TOKENS = 1000
const OPERATIONS = 100

/** The key travels to the forked subjects, so that all of them know the same tokens. */
const jwk = () => JSON.parse(process.env.BENCH_JWK)

/** Servers to compare: the least that Node can do, then what answers a question. */
const SUBJECTS = new Map([
  ['bare node:http', () => createServer((_request, response) => allow(response))],
  [
    'fast-jwt, cached verify',
    async () => {
      const { createVerifier } = await import('fast-jwt')
      const { createPublicKey } = await import('node:crypto')
      const key = createPublicKey({ key: jwk(), format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      })
      const verify = createVerifier({ key, cache: 2 * LIVE_TOKENS })
      return createServer(({ headers }, response) => {
        verify(headers.authorization.slice(7))
        allow(response)
      })
    },
  ],
  ...['auth-request', 'forward-auth', 'ext-authz'].map((dialect) => [
    `portcullis, ${dialect}`,
    async () => {
      const { createAuthService, createServerGate } = await import('portcullis/node')
      const server = createServer()
      createAuthService({ gate: createServerGate(zone(jwk())), dialect }).attach(server)
      return server
    },
  ]),
])

function allow(response) {
  response.writeHead(200, ['Content-Length', '0']).end()
}

function zone(key) {
  return {
    id: 'bench',
    name: 'shop.example',
    token_configurations: [
      {
        id: 'main',
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [key] },
      },
    ],
    operations: Array.from({ length: OPERATIONS }, (_, at) => ({
      operation_id: `op-${at}`,
      method: 'GET',
      host: 'shop.example',
      endpoint: `/v1/things${at}/{id}`,
    })),
    rules: [{ id: 'all', action: 'block', expression: 'is_jwt_valid("main")' }],
  }
}

/** A request that every dialect reads alike. */
function question(token, at) {
  const path = `/v1/things${at % OPERATIONS}/42`
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: shop.example',
    'X-Original-Method: GET',
    `X-Original-URI: ${path}`,
    'X-Forwarded-Method: GET',
    `X-Forwarded-Uri: ${path}`,
    'X-Forwarded-Host: shop.example',
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
  process.env.BENCH_JWK = JSON.stringify(key.jwk)
  const tokens = Array.from({ length: LIVE_TOKENS }, (_, n) => makeToken(key, n))
  const file = fileURLToPath(import.meta.url)
  return compareServers({
    title: 'auth service, 1,000 live ES256 tokens on 16 connections',
    servers: [...SUBJECTS.keys()].map((name) => [name, () => forkServer(file, name)]),
    requests: tokens.map(question),
    bodyLength: 0,
  })
}

if (process.argv[2] === '--serve') serveSubject(await SUBJECTS.get(process.argv[3])())
