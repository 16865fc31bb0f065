import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js'
import { compareServers, forkServer, serveSubject } from './measure/compare-servers.mjs'
import { CHECK, checkRequest } from './subjects/check-request.mjs'
import { sendJwk, sentJwk } from './subjects/sent-jwk.mjs'
import { makeKey, makeTokens } from './subjects/tokens.mjs'
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

/** For `compareServers`: calls over one connection, so many at a time, as Envoy makes them. */
const loadGrpc = (messages) => async (port, count) => {
  // A connection of its own: clients of one address would share it.
  const options = { 'grpc.use_local_subchannel_pool': 1 }
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options)
  const ask = (message) =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(CHECK.path, bytes, bytes, message, (error, reply) => {
        if (error === null) resolve(CHECK.responseDeserialize(reply))
        else reject(error)
      })
    })
  let left = count
  const askOn = async () => {
    while (left-- > 0) {
      const { status, okResponse } = await ask(messages[left % messages.length])
      if (status?.code !== 0 || okResponse === null) throw new Error('a good token is refused')
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
    start: () => forkServer(fileURLToPath(import.meta.url), name),
  }))
  const messages = makeTokens(key, LIVE_TOKENS).map(question)
  const load = loadGrpc(messages)
  return {
    rows: await compareServers(`one connection, ${AT_A_TIME} calls at a time`, servers, load),
  }
}

if (process.argv[2] === '--serve') serveSubject(await SUBJECTS.get(process.argv[3])())
