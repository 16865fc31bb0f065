import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js'
import { compareServers, forkServer, serveSubject } from './measure/compare-servers.mjs'
import { CHECK, checkRequest } from './subjects/check-request.mjs'
import { sendJwk, sentJwk } from './subjects/sent-jwk.mjs'
import { makeKey, makeTokens, spoil } from './subjects/tokens.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const LIVE_TOKENS = 1000
const OPERATIONS = 100
const AT_A_TIME = 16

const bytes = (message) => message

/** Servers to compare: the least that grpc-js can do, then the gate. */
const SUBJECTS = new Map([
  ['bare grpc-js', bareService],
  ['portcullis, ext-authz-grpc', gateService],
])

/** Reads nothing, and lets everything pass. */
function bareService() {
  const pass = CHECK.responseSerialize({ status: { code: 0 }, okResponse: {} })
  const server = new Server()
  const call = { ...CHECK, requestDeserialize: bytes, responseSerialize: bytes }
  server.addService({ Check: call }, { Check: (_call, reply) => reply(null, pass) })
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())
  return createServer((socket) => injector.injectConnection(socket))
}

async function gateService() {
  const { createVerdictCache } = await import('portcullis')
  const { createGrpcAuthService, createServerGate } = await import('portcullis/node')
  const zone = zoneOf(sentJwk(), OPERATIONS, 1)
  const service = await createGrpcAuthService({
    gate: createServerGate(zone, createVerdictCache()),
  })
  const server = createServer()
  service.attach(server)
  return server
}

function question(token, at) {
  const headers = {
    'user-agent': 'bench',
    accept: '*/*',
    authorization: `Bearer ${token}`,
    'x-forwarded-proto': 'https',
    'x-request-id': '00000000-0000-4000-8000-000000000000',
  }
  return checkRequest({ host: 'h0.example.com', path: `/v1/things${at % OPERATIONS}/42`, headers })
}

function connected(port) {
  // A connection of its own: clients of one address would share it.
  const options = { 'grpc.use_local_subchannel_pool': 1 }
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options)
}

const ask = (client, message) =>
  new Promise((resolve, reject) => {
    client.makeUnaryRequest(CHECK.path, bytes, bytes, message, (error, reply) => {
      if (error === null) resolve(CHECK.responseDeserialize(reply))
      else reject(error)
    })
  })

const allows = ({ status, okResponse }) => status?.code === 0 && okResponse !== null

/** For `compareServers`: whether a server refuses a call. */
const refusesGrpc = (message) => async (port) => {
  const client = connected(port)
  try {
    return !allows(await ask(client, message))
  } finally {
    client.close()
  }
}

/** For `compareServers`: calls over one connection, so many at a time, as Envoy makes them. */
const loadGrpc = (messages) => async (port, count) => {
  const client = connected(port)
  let left = count
  const askOn = async () => {
    while (left-- > 0) {
      const reply = await ask(client, messages[left % messages.length])
      if (!allows(reply)) throw new Error('a good token is refused')
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, askOn))
  } finally {
    client.close()
  }
}

/** CPU time of the answering process per question over gRPC, with a thousand live ES256 tokens. */
export async function run() {
  const key = makeKey('ES256')
  sendJwk(key)
  const servers = [...SUBJECTS.keys()].map((name) => ({
    name,
    kind: name.startsWith('bare') ? 'floor' : 'ours',
    checks: !name.startsWith('bare'),
    start: () => forkServer(fileURLToPath(import.meta.url), name),
  }))
  const tokens = makeTokens(key, LIVE_TOKENS)
  const load = loadGrpc(tokens.map(question))
  const refuses = refusesGrpc(question(spoil(tokens[0]), 0))
  const group = `one connection, ${AT_A_TIME} calls at a time`
  return { rows: await compareServers(group, servers, load, refuses) }
}

if (process.argv[2] === '--serve') serveSubject(await SUBJECTS.get(process.argv[3])())
