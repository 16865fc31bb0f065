import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { RequestListener, RequestOptions, ServerResponse } from 'node:http'
import { connect, createServer as createRawServer, type AddressInfo, type Socket } from 'node:net'
import type { Server as RawServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { createGate, type Decision, type Policy } from '../../../src/edge/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { createProxy, type Failure, type ProxyOptions } from '../../../src/node/proxy/index.js'

/** A zone in which everything passes; other hosts are refused. */
const OPEN: Policy = { id: 'zone-1', name: 'shop.example' }

export interface Stage {
  readonly port: number
  readonly server: Server
  readonly decisions: Decision[]
  readonly failures: Failure[]
}

/** A proxy on a port of its own, in front of `origin`. */
export async function stage(
  origin: string | undefined,
  options: Partial<ProxyOptions> & { readonly policy?: Policy } = {},
): Promise<Stage> {
  const { policy = OPEN, ...rest } = options
  const decisions: Decision[] = []
  const failures: Failure[] = []
  const proxy = createProxy({
    gate: createGate(policy, { crypto: nodeCrypto() }),
    upstream: () => origin,
    onDecision: (decision) => void decisions.push(decision),
    onFailure: (failure) => void failures.push(failure),
    now: () => 1_700_000_000_000,
    ...rest,
  })
  const server = createServer()
  proxy.attach(server)
  const port = await listen(server)
  onTestFinished(() => proxy.close(0))
  return { port, server, decisions, failures }
}

/** A real upstream; gives its origin. */
export async function upstream(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  // Past 2,000 lines Node 20 leaves some out and Node 24 answers 431: neither is the proxy's doing.
  server.maxHeadersCount = 0
  return `http://127.0.0.1:${await listen(server)}`
}

/** Answers without end, as fast as it is taken. */
export function pour(response: ServerResponse): void {
  const part = Buffer.alloc(64 * 1024)
  const push = () => {
    while (response.write(part));
  }
  response.on('drain', push)
  push()
}

/** An upstream that speaks for itself, byte for byte. */
export async function rawUpstream(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  return `http://127.0.0.1:${await listen(server)}`
}

/** Listens on a free port of the loopback until the test is over. */
export async function listen(server: Server | RawServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createRawServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export interface Reply {
  readonly status: number
  readonly reason: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly trailers: IncomingMessage['trailers']
  readonly body: string
}

/** Sends a request to shop.example through the proxy and reads the whole answer. */
export function fetchFrom(
  port: number,
  options: RequestOptions = {},
  body?: string | Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'shop.example', ...options.headers }
    const asked = request({ port, host: '127.0.0.1', agent: false, ...options, headers })
    asked.once('error', reject)
    asked.once('response', (answer) => resolve(readAll(answer)))
    asked.end(body)
  })
}

export async function readAll(answer: IncomingMessage): Promise<Reply> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return {
    status: answer.statusCode ?? 0,
    reason: answer.statusMessage ?? '',
    headers: answer.headers,
    rawHeaders: answer.rawHeaders,
    trailers: answer.trailers,
    body: Buffer.concat(parts).toString('latin1'),
  }
}

/** Writes bytes to a port and gives everything that comes back until the connection ends. */
export function speak(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => void socket.write(text, 'latin1'))
    let heard = ''
    socket.setEncoding('latin1').on('data', (part: string) => (heard += part))
    socket.on('error', () => undefined).once('close', () => resolve(heard))
  })
}
