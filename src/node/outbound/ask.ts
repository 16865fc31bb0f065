import { isIP, type LookupFunction } from 'node:net'
import { Agent, request, type Dispatcher } from 'undici'
import { connector, HandshakeError, type UpstreamTls } from '../proxy/index.js'
import { OutboundError } from './outbound-error.js'
import type { OutboundAnswer, OutboundRequest } from './outbound.js'

/** A call whose addresses were checked; its signal also ends what takes too long. */
interface Call extends Required<OutboundRequest> {
  /** Of the host: a connection goes to no other. */
  readonly addresses: readonly string[]
  readonly ca: UpstreamTls['ca'] | undefined
}

const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308])

/**
 * Makes one GET call, on a connection of its own. Redirects are not followed.
 *
 * @throws {OutboundError} and whatever a call that has no answer says
 */
export async function ask(
  url: URL,
  { addresses, maxBytes, timeoutMs, headers, signal, ca }: Call,
): Promise<OutboundAnswer> {
  const tls = { rejectUnauthorized: true, ...(ca && { ca }) }
  const agent = new Agent({
    connect: connector({ timeout: timeoutMs, tls, lookup: lookupOf(addresses) }),
    connections: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const response = await request(url, {
      dispatcher: agent,
      signal,
      headers: { 'user-agent': 'portcullis', ...headers, 'accept-encoding': 'identity' },
    })
    return await answerOf(response, maxBytes)
  } catch (cause) {
    if (!(cause instanceof HandshakeError)) throw cause
    throw new OutboundError('tls_failed', `TLS failed: ${cause.code}`, cause)
  } finally {
    // What is left of a connection is of no use: the next call checks its addresses anew.
    void agent.destroy()
  }
}

/** Answers what was found before, whatever is asked. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all === true) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
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
