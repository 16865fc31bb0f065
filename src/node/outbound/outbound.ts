import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, request, type Dispatcher } from 'undici'
import { connector, HandshakeError, type UpstreamTls } from '../proxy/index.js'
import { checkedUrl } from './checked-url.js'
import { mayConnect } from './may-connect.js'
import { OutboundError } from './outbound-error.js'

/** How calls to addresses that strangers name are made. */
export interface OutboundOptions {
  /** Also `http:`, loopback and private networks. Default: no. */
  readonly allowPrivate?: boolean
  /** Finds the addresses of a host name; rejects when there are none. Default: the system's way. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  /** Certificate authorities in place of the known ones. */
  readonly ca?: UpstreamTls['ca']
}

/** One call. Both bounds are for all of it. */
export interface OutboundRequest {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** What was answered, whatever the status; never a redirect. */
export interface OutboundAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** @throws {OutboundError}; the reason of `signal` when that ended it */
export type Outbound = (url: string, request: OutboundRequest) => Promise<OutboundAnswer>

const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308])

/**
 * GET for URLs that come from outside. The host is resolved here, and the connection goes to an
 * address that was checked and to no other: neither a name nor a change of DNS in between leads
 * into the own network. Redirects are not followed.
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allowPrivate = false, resolve = resolveBySystem, ca } = options

  async function addressesOf(hostname: string): Promise<readonly string[]> {
    const literal = hostname.replace(/^\[(.*)\]$/, '$1')
    const found = isIP(literal) === 0 ? await resolve(hostname) : [literal]
    const allowed = found.filter((address) => mayConnect(address, allowPrivate))
    if (allowed.length === 0)
      throw new OutboundError('address_refused', 'the host is at no public address')
    return allowed
  }

  return async (text, { maxBytes, timeoutMs, headers = {}, signal }) => {
    const url = checkedUrl(text, allowPrivate)
    const inTime = AbortSignal.timeout(timeoutMs)
    const ended = signal === undefined ? inTime : AbortSignal.any([inTime, signal])
    let agent: Agent | undefined
    try {
      const addresses = await until(ended, addressesOf(url.hostname))
      const tls = { rejectUnauthorized: true, ...(ca && { ca }) }
      agent = new Agent({
        connect: connector({ timeout: timeoutMs, tls, lookup: lookupOf(addresses) }),
        connections: 1,
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      const response = await request(url, {
        dispatcher: agent,
        signal: ended,
        headers: { 'user-agent': 'portcullis', ...headers, 'accept-encoding': 'identity' },
      })
      return await answerOf(response, maxBytes)
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason
      if (inTime.aborted)
        throw new OutboundError('timeout', `no whole answer within ${timeoutMs} ms`)
      throw cause instanceof OutboundError ? cause : failureOf(cause)
    } finally {
      // What is left of a connection is of no use: the next call checks its addresses anew.
      void agent?.destroy()
    }
  }
}

const resolveBySystem = async (hostname: string): Promise<readonly string[]> =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

/** Answers what was found before, whatever is asked. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all === true) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }

/** A name service may hang, and cannot be told to stop. */
function until<Value>(ended: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(ended.reason as Error)
    if (ended.aborted) end()
    ended.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => ended.removeEventListener('abort', end))
  })
}

async function answerOf(
  { statusCode, headers: given, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<OutboundAnswer> {
  // Whatever is thrown from here on leaves a body unread, whose end is then nobody's news.
  body.on('error', () => {})
  if (REDIRECTS.has(statusCode))
    throw new OutboundError('redirected', 'the answer is a redirect, which is not followed')
  const headers = headersOf(given)
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'identity' && coding !== '')
    throw new OutboundError('unreadable', 'the answer is compressed')
  const tooLarge = () => new OutboundError('too_large', `more than ${maxBytes} bytes`)
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > maxBytes) throw tooLarge()
    pieces.push(piece)
  }
  return { status: statusCode, headers, body: new Uint8Array(Buffer.concat(pieces)) }
}

const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

function headersOf(given: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const each of [value ?? []].flat()) if (VALUE.test(each)) headers.append(name, each)
  }
  return headers
}

function failureOf(cause: unknown): OutboundError {
  return cause instanceof HandshakeError
    ? new OutboundError('tls_failed', `TLS failed: ${cause.code}`, cause)
    : new OutboundError('unreachable', 'there is no answer', cause)
}
