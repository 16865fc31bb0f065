import { request as ask, type ClientRequest, type IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { breakOff } from './answer.js'
import type { Call } from './call.js'
import { limitRest } from './client-limit.js'
import { failureCode } from './failure.js'
import type { Origin } from './origins.js'
import { responseLines, UnusableResponse } from './response-lines.js'
import { takeOver } from './response-on.js'
import type { Timeouts } from './settings.js'
import { splice } from './splice.js'
import { flushHead, startResponse } from './start-response.js'

/** What undici does not carry: a request that may take its connection over, and `OPTIONS *`. */
export interface Handshake {
  readonly method: string
  readonly target: string
  readonly lines: string[]
}

export interface Tunnels {
  /** Asks upstream to speak WebSocket and joins both connections; any other answer passes as is. */
  open(call: Call, origin: Origin, handshake: Handshake, head: Buffer): void
  /** A plain exchange on a connection of its own. */
  ask(call: Call, origin: Origin, handshake: Handshake): void
  /** Cuts every open tunnel. */
  close(): void
}

class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly code = 'UND_ERR_HEADERS_TIMEOUT'
}

class Stalled extends Error {
  override readonly name = 'Stalled'
  readonly code = 'UND_ERR_BODY_TIMEOUT'
}

class Closed extends Error {
  override readonly name = 'Closed'
  readonly code = 'UND_ERR_SOCKET'
  readonly socket: { readonly bytesRead: number }

  constructor({ bytesRead }: Socket, cause: Error) {
    super('closed', { cause })
    this.socket = { bytesRead }
  }
}

const UPGRADE = ['Connection', 'Upgrade', 'Upgrade', 'websocket'] as const

/** Opens tunnels with connections made by `connect`, which has a time limit of its own. */
export function createTunnels(
  connect: buildConnector.connector,
  timeouts: Pick<Timeouts, 'response' | 'idle' | 'tunnel'>,
  maxHeaderSize: number,
): Tunnels {
  const open = new Set<Socket>()

  function start(
    call: Call,
    { url }: Origin,
    { method, target, lines }: Handshake,
    onAsked: (asked: ClientRequest, upstream: Socket) => void,
  ): void {
    // HTTP/1.0 needs no Host, but what goes upstream is HTTP/1.1.
    const hasHost = call.settings.preserveHost && call.received.header('host') !== undefined
    const headers = hasHost ? lines : ['Host', url.host, ...lines]
    connect(connectTo(url), (error, upstream) => {
      if (error !== null) return failed(call, error)
      if (call.response.destroyed) return void upstream.destroy()
      const asked = ask({
        createConnection: () => upstream,
        method,
        path: target,
        headers,
        maxHeaderSize,
        setHost: false,
      })
      // Node would leave out the lines after the 1,000th without a word; their size is bounded anyway.
      asked.maxHeadersCount = 0
      const timer = setTimeout(() => asked.destroy(new Unanswered('no answer')), timeouts.response)
      call.response.once('close', () => asked.destroy())
      asked.once('error', (cause) => {
        clearTimeout(timer)
        const hungUp = 'code' in cause && cause.code === 'ECONNRESET'
        failed(call, hungUp ? new Closed(upstream, cause) : cause)
      })
      asked.once('response', (answer) => {
        clearTimeout(timer)
        upstream.setTimeout(timeouts.idle, () =>
          answer.destroy(new Stalled('no more of the answer')),
        )
        passOn(call, answer)
      })
      asked.once('upgrade', () => clearTimeout(timer))
      onAsked(asked, upstream)
      asked.end()
    })
  }

  function join(call: Call, answer: IncomingMessage, upstream: Socket, early: readonly Buffer[]) {
    const client = takeOver(call.response)
    if (client === null) return void upstream.destroy()
    const lines = [...responseLines(answer.rawHeaders), ...UPGRADE, ...(call.extra ?? [])]
    client.write(head101(answer.statusMessage, lines), 'latin1')
    const [fromClient, fromUpstream] = early
    if (fromClient?.length) upstream.write(fromClient)
    if (fromUpstream?.length) client.write(fromUpstream)
    for (const end of [client, upstream]) {
      open.add(end)
      end.once('close', () => open.delete(end))
    }
    splice(client, upstream, timeouts.tunnel)
  }

  return {
    open(call, origin, handshake, head) {
      const lines = [...handshake.lines, ...UPGRADE]
      start(call, origin, { ...handshake, lines }, (asked, upstream) => {
        asked.once('upgrade', (answer, _socket, first) => {
          // Another protocol than the one asked for could carry requests that nobody judges.
          const { upgrade } = answer.headers
          if (answer.statusCode === 101 && upgrade?.toLowerCase() === 'websocket') {
            join(call, answer, upstream, [head, first])
          } else {
            upstream.destroy()
            failed(call, new UnusableResponse(`not asked for: ${answer.statusCode} ${upgrade}`))
          }
        })
      })
    },
    ask: (call, origin, handshake) => start(call, origin, handshake, () => undefined),
    close() {
      for (const end of open) end.destroy()
    },
  }
}

function connectTo({ hostname, host, protocol, port }: URL): buildConnector.Options {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return { hostname: isIP(bare) === 6 ? bare : hostname, host, protocol, port }
}

function passOn(call: Call, answer: IncomingMessage): void {
  const { response } = call
  try {
    const lines = [...responseLines(answer.rawHeaders), ...(call.extra ?? [])]
    const { statusCode = 502, statusMessage = '' } = answer
    startResponse(response, statusCode, statusMessage, lines)
    flushHead(response)
  } catch (error) {
    answer.destroy()
    return failed(call, error as Error)
  }
  answer.once('error', (error) => failed(call, error))
  answer.once('end', () => limitRest(response, call.settings.timeouts.client))
  answer.pipe(response)
}

function failed(call: Call, error: Error): void {
  const { response } = call
  // One break is told of twice: by the request and by its answer.
  if (response.destroyed || response.socket?.destroyed) return
  const failure = { code: failureCode(error), error }
  call.report(failure)
  if (response.headersSent) breakOff(response)
  else call.fail(failure.code)
}

function head101(reason = 'Switching Protocols', lines: readonly string[]): string {
  let head = `HTTP/1.1 101 ${reason}\r\n`
  for (let at = 0; at < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`
  return `${head}\r\n`
}
