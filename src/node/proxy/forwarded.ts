import { isIP } from 'node:net'
import { peerAddress, type Trusts } from './peers.js'

/** What is known of the way a request came, from the client to this machine. */
export interface Route {
  /** Address of the client: the last one in the chain that nobody trusted could have invented. */
  readonly ip: string
  readonly secure: boolean
  /** `X-Forwarded-For` as sent upstream, this machine's peer last. */
  readonly chain: string
  /** Host the client asked the first trusted proxy for. */
  readonly host: string
  /** True when the peer's own forwarding headers are believed. */
  readonly trusted: boolean
}

/** Where a request comes from, before its headers are believed. */
export interface Arrival {
  readonly remote: string | undefined
  readonly encrypted: boolean
  readonly host: string
  /** All lines of a header joined by `, `; undefined when there is none. */
  all(name: string): string | undefined
}

/** Made anew for each request, never copied. */
export const WRITTEN: ReadonlySet<string> = new Set([
  'cf-ray',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
])

/**
 * Headers by which a proxy tells who the client is or what it asked for. Coming from somebody who
 * is not trusted they are claims of a stranger: servers that believe them would serve another
 * client, another path or another method than the one that was judged.
 */
const PROXY_CLAIMS: ReadonlySet<string> = new Set([
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-ipcountry',
  'cf-pseudo-ipv4',
  'cf-visitor',
  'client-ip',
  'fastly-client-ip',
  'front-end-https',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-forwarded',
  'x-host',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-forwarded-for',
  'x-original-host',
  'x-original-method',
  'x-original-uri',
  'x-original-url',
  'x-originating-ip',
  'x-real-ip',
  'x-remote-addr',
  'x-remote-ip',
  'x-rewrite-url',
  'x-url-scheme',
])

/** True for a name by which only a trusted proxy may speak of its client. */
export const isProxyClaim = (name: string): boolean =>
  PROXY_CLAIMS.has(name) || name.startsWith('x-forwarded-')

/**
 * Finds the client. The chain is read from `X-Forwarded-For` alone, right to left and only as far
 * as each hop is trusted; `Forwarded` is written from it but never read, because a proxy that
 * speaks the one dialect lets a stranger's other dialect through untouched.
 */
export function routeOf(arrival: Arrival, trusts: Trusts): Route {
  const peer = peerAddress(arrival.remote)
  if (!trusts(peer)) {
    return { ip: peer, secure: arrival.encrypted, chain: peer, host: arrival.host, trusted: false }
  }
  const before = arrival.all('x-forwarded-for')
  const proto = arrival.all('x-forwarded-proto')
  return {
    ip: clientIn(before, peer, trusts),
    secure: proto === undefined ? arrival.encrypted : first(proto).toLowerCase() === 'https',
    chain: before === undefined ? peer : `${before}, ${peer}`,
    host: first(arrival.all('x-forwarded-host') ?? arrival.host),
    trusted: true,
  }
}

function clientIn(chain: string | undefined, peer: string, trusts: Trusts): string {
  const hops = chain?.split(',') ?? []
  let client = peer
  while (trusts(client)) {
    const hop = addressIn(hops.pop() ?? '')
    if (hop === undefined) break
    client = hop
  }
  return client
}

/** The address in one entry of a chain, without port and brackets. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim()
  if (isIP(text) !== 0) return peerAddress(text)
  const bracketed = /^\[([0-9a-fA-F:.]+)\](?::[0-9]+)?$/.exec(text)?.[1]
  const bare = bracketed ?? /^([0-9.]+):[0-9]+$/.exec(text)?.[1] ?? ''
  return isIP(bare) === 0 ? undefined : peerAddress(bare)
}

const first = (list: string): string => (list.split(',', 1)[0] ?? '').trim()

/** Appends what upstream may know of the client: RFC 7239 and the older headers of the same sense. */
export function pushForwarded(lines: string[], route: Route): void {
  const proto = route.secure ? 'https' : 'http'
  lines.push('forwarded', `${elements(route.chain)};host=${quoted(route.host)};proto=${proto}`)
  lines.push('x-forwarded-for', route.chain)
  lines.push('x-forwarded-proto', proto, 'x-forwarded-host', route.host)
}

/** The chain that was last written: most requests come the way the one before came. */
let last = { chain: '', text: 'for=unknown' }

function elements(chain: string): string {
  if (chain !== last.chain) {
    const text = chain
      .split(',')
      .map((hop) => `for=${node(hop)}`)
      .join(', ')
    last = { chain, text }
  }
  return last.text
}

function node(hop: string): string {
  const address = addressIn(hop)
  if (address === undefined) return 'unknown'
  return address.includes(':') ? `"[${address}]"` : address
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const quoted = (text: string): string =>
  TOKEN.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
