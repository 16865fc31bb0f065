import { Pool, type buildConnector } from 'undici'

/** One upstream server: its connections, kept alive and bounded in number. */
export interface Origin {
  readonly url: URL
  readonly pool: Pool
}

export interface OriginOptions {
  readonly connect: buildConnector.connector
  /** Connections to one origin at most; more requests wait for a free one. */
  readonly connections: number
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
  /** Lets requests under way finish, then closes every connection. */
  close(): Promise<void>
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
    const url = new URL(text)
    if (url.pathname !== '/' || url.search !== '' || !/^https?:$/.test(url.protocol)) {
      throw new TypeError(`${JSON.stringify(text)} is no origin: expected http(s)://host[:port]`)
    }
    const { connect, connections, response, idle, maxHeaderSize } = options
    const timeouts = { headersTimeout: response, bodyTimeout: idle }
    const pool = new Pool(url.origin, { connect, connections, maxHeaderSize, ...timeouts })
    return { url, pool }
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
    const [eldest] = origins.keys()
    if (origins.size >= MOST && eldest !== undefined) drop(eldest)
  }
  return {
    of(zone, text) {
      if (byZone.get(zone) !== text) move(zone, text)
      let origin = origins.get(text)
      if (origin === undefined) origins.set(text, (origin = open(text)))
      return origin
    },
    async close() {
      const pools = [...origins.values()].map(({ pool }) => pool.close())
      origins.clear()
      byZone.clear()
      await Promise.all(pools)
    },
  }
}
