import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { UpstreamTls } from '../proxy/index.js'
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
    try {
      const addresses = await until(ended, addressesOf(url.hostname))
      // Only here: few who could call out do, and the others start sooner.
      const { ask } = await import('./ask.js')
      return await ask(url, { addresses, maxBytes, timeoutMs, headers, signal: ended, ca })
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason
      if (inTime.aborted)
        throw new OutboundError('timeout', `no whole answer within ${timeoutMs} ms`)
      throw cause instanceof OutboundError
        ? cause
        : new OutboundError('unreachable', 'there is no answer', cause)
    }
  }
}

const resolveBySystem = async (hostname: string): Promise<readonly string[]> =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

/** A name service may hang, and cannot be told to stop. */
function until<Value>(ended: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(ended.reason as Error)
    if (ended.aborted) end()
    ended.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => ended.removeEventListener('abort', end))
  })
}
