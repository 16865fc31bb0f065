import { Client, credentials, type ServiceError } from '@grpc/grpc-js'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { createGate, type Decision } from '../../../src/edge/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import {
  createGrpcAuthService,
  type GrpcAuthService,
  type GrpcAuthServiceOptions,
} from '../../../src/node/auth-service/index.js'
import { listen } from '../proxy/stage.js'
import { NOW, ZONE } from './stage.js'
import { decode, encode, inner, inners, integer, text, type Fields } from './wire.js'

const CHECK = '/envoy.service.auth.v3.Authorization/Check'

export interface GrpcStage {
  readonly port: number
  readonly service: GrpcAuthService
  readonly decisions: Decision[]
  readonly faults: unknown[]
}

/** A gRPC auth service on a port of its own. */
export async function grpcStage(options: Partial<GrpcAuthServiceOptions> = {}): Promise<GrpcStage> {
  const decisions: Decision[] = []
  const faults: unknown[] = []
  const service = await createGrpcAuthService({
    gate: createGate(ZONE, { crypto: nodeCrypto(), now: () => NOW * 1000 }),
    onDecision: (decision) => void decisions.push(decision),
    onFault: (fault) => void faults.push(fault),
    now: () => NOW * 1000,
    ...options,
  })
  const server = createServer()
  service.attach(server)
  return { port: await listen(server), service, decisions, faults }
}

/** A real client with one connection, as Envoy has. */
export function clientOf(port: number): Client {
  // Each of its own: clients of one address would share a connection.
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  })
  onTestFinished(() => client.close())
  return client
}

/** Sends bytes and gives those of the answer; rejects with what gRPC says in place of one. */
export function call(client: Client, message: Buffer): Promise<Buffer> {
  const whole = (bytes: Buffer) => bytes
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(CHECK, whole, whole, message, (error: ServiceError | null, reply) => {
      if (error === null) resolve(reply ?? Buffer.alloc(0))
      else reject(error)
    })
  })
}

/** A client's request as Envoy has it. */
export interface Asked {
  readonly method?: string
  readonly path: string
  readonly host?: string
  /** Lines, names and values in turn. */
  readonly headers?: readonly string[]
  readonly scheme?: string
  readonly protocol?: string
  /** Address that Envoy was asked from. */
  readonly source?: string
  /** Whether header lines come as they are (`encode_raw_headers`), or merged by name. */
  readonly raw?: boolean
}

/** The CheckRequest that Envoy makes of a request, numbers as in its public API. */
export function checkRequest(asked: Asked): Fields {
  const { method = 'GET', path, host = 'shop.example', headers = [], raw = false } = asked
  const { scheme = 'http', protocol = 'HTTP/1.1', source = '192.0.2.7' } = asked
  const pseudo = [':authority', host, ':path', path, ':method', method, ':scheme', scheme]
  const lines = [...pseudo, ...headers]
  const id: Fields = [
    [1, '17'],
    [2, method],
  ]
  const rest: Fields = [
    [4, path],
    [5, host],
    [6, scheme],
    [9, 123n],
    [10, protocol],
    [11, 'a body that nobody asked for'],
  ]
  const http: Fields = raw
    ? [...id, ...rest, [13, linesOf(lines).map(([name, value]) => [1, rawLine(name, value)])]]
    : [...id, ...mergedLines(lines).map((line) => [3, line] as const), ...rest]
  const socketAddress: Fields = [
    [1, 0n],
    [2, source],
    [3, 40_000n],
  ]
  const attributes: Fields = [
    [1, [[1, [[1, socketAddress]]]]],
    [
      4,
      [
        [1, [[1, 1_700_000_000n]]],
        [2, http],
      ],
    ],
    [
      10,
      [
        [1, 'a context'],
        [2, 'extension'],
      ],
    ],
  ]
  return [[1, attributes]]
}

function linesOf(lines: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  for (let at = 0; at < lines.length; at += 2)
    pairs.push([(lines[at] ?? '').toLowerCase(), lines[at + 1] ?? ''])
  return pairs
}

const rawLine = (name: string, value: string): Fields => [
  [1, name],
  [3, Buffer.from(value, 'latin1')],
]

function mergedLines(lines: readonly string[]): readonly Fields[] {
  const merged = new Map<string, string>()
  for (const [name, value] of linesOf(lines)) {
    const before = merged.get(name)
    const comma = name === 'cookie' ? '; ' : ','
    merged.set(name, before === undefined ? value : before + comma + value)
  }
  return [...merged].map(([name, value]) => [
    [1, name],
    [2, Buffer.from(value, 'latin1')],
  ])
}

/** What Envoy does with an answer. */
export interface Verdict {
  /** Of google.rpc.Status: 0 lets pass. */
  readonly code: number
  /** Of the answer to the client; 200 for a request that goes on. */
  readonly status: number
  /** To the client, or of the request that goes on: each in the place of others of its name. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly removed: readonly string[]
  readonly body: string
}

/** Reads a CheckResponse, numbers as in Envoy's public API. */
export function verdictOf(reply: Buffer): Verdict {
  const message = decode(reply)
  const code = integer(inner(message, 1), 1)
  const said = inner(message, code === 0 ? 3 : 2)
  const headers = inners(said, 2).map((option) => {
    // Without this member each version of Envoy has a default of its own: replace, or add.
    if (!option.has(2)) throw new Error('a header that leaves open whether it replaces others')
    return [text(inner(option, 1), 1), text(inner(option, 1), 2)] as const
  })
  const removed = (said.get(5) ?? []).map(String)
  if (code === 0) return { code, status: 200, headers, removed, body: '' }
  return { code, status: integer(inner(said, 1), 1), headers, removed: [], body: text(said, 3) }
}

/** Asks as Envoy does. */
export const check = async (client: Client, asked: Asked): Promise<Verdict> =>
  verdictOf(await call(client, encode(checkRequest(asked))))
