import { Client, Pool, type buildConnector, type Dispatcher } from 'undici'
import { isOrigin } from '../../edge/selector/index.js'
import { Turnstile } from './turnstile.js'

/** One upstream server: its connections, kept alive and bounded in number. */
export interface Origin {
  readonly url: URL
  /** Everybody who uses a connection goes through here. */
  readonly turnstile: Turnstile
  readonly pool: Pool
  /** For one request on a connection that was never used before. */
  once(): Dispatcher
}

export interface OriginOptions {
  readonly connect: buildConnector.connector
  /** Connections to one origin at most; more requests wait for a free one. */
  readonly connections: number
  /** Milliseconds that a request waits for a free one. */
  readonly queue: number
  /** Milliseconds from the end of the request to the head of the response. */
  readonly response: number
  /** Milliseconds between two parts of a response body. */
  readonly idle: number
  readonly maxHeaderSize: number
}

/** The upstream servers in use, by zone. */
export interface Origins {
  /** The server that a zone's requests go to. @throws TypeError when the text is no origin */
  of(zone: string | null, origin: string): Origin
  /** Lets requests under way finish for that many milliseconds, then closes every connection. */
  close(grace: number): Promise<void>
}

const MOST = 1024

/**
 * Keeps one pool for each origin. When a zone moves to another origin, and when there are too many,
 * a pool that nobody needs is closed: requests under way on it finish first.
 */
export function createOrigins(options: OriginOptions): Origins {
  const origins = new Map<string, Origin>()
  const byZone = new Map<string | null, string>()

  const open = (text: string): Origin => {
    // Without the text: it may hold a password.
    if (!isOrigin(text))
      throw new TypeError('the upstream is no origin: expected http(s)://host[:port]')
    const url = new URL(text)
    const { connect, connections, queue, response, idle, maxHeaderSize } = options
    const terms = { connect, maxHeaderSize, headersTimeout: response, bodyTimeout: idle }
    return {
      url,
      turnstile: new Turnstile(connections, queue),
      pool: new Pool(url.origin, { ...terms, connections }),
      once: () => new Client(url.origin, terms),
    }
  }
  const drop = (text: string) => {
    const origin = origins.get(text)
    origins.delete(text)
    void origin?.pool.close()
  }
  const move = (zone: string | null, text: string) => {
    const before = byZone.get(zone)
    byZone.set(zone, text)
    if (before !== undefined && ![...byZone.values()].includes(before)) drop(before)
  }
  return {
    of(zone, text) {
      if (byZone.get(zone) !== text) move(zone, text)
      const known = origins.get(text)
      if (known !== undefined) return known
      const [eldest] = origins.keys()
      if (origins.size >= MOST && eldest !== undefined) drop(eldest)
      const origin = open(text)
      origins.set(text, origin)
      return origin
    },
    async close(grace) {
      const pools = [...origins.values()].map(({ pool }) => pool)
      origins.clear()
      byZone.clear()
      const closed = Promise.all(pools.map((pool) => pool.close()))
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, grace)))
      await Promise.race([closed, late.then(() => Promise.all(pools.map((p) => p.destroy())))])
      clearTimeout(timer)
    },
  }
}
