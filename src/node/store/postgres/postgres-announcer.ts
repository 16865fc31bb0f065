import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import type { Announcer } from '../../../management/index.js'

const CHANNEL = 'portcullis'
const CONNECT_MS = 10_000
/** How long to wait before connecting again: twice as long each time, up to the longest. */
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000

/**
 * Announcements by LISTEN and NOTIFY. While somebody listens there is one more connection to the
 * database; a broken one is made again, and listeners are told then, since nobody knows what was
 * missed.
 */
export function postgresAnnouncer(
  connectionString: string,
  openSocket?: () => Socket,
): Announcer & { close(): Promise<void> } {
  const self = randomUUID()
  const listeners = new Set<() => void>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let wait = FIRST_WAIT_MS

  function tell(): void {
    for (const heard of listeners) heard()
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      ...(openSocket && { stream: openSocket }),
      // Nothing is ever sent here: else a peer that is gone would not be noticed.
      keepAlive: true,
      keepAliveInitialDelayMillis: CONNECT_MS,
    })
    client = next
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ payload }) => {
      if (payload !== self) tell()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch {
      return lost(next)
    }
    if (client !== next) return
    wait = FIRST_WAIT_MS
    tell()
  }

  function lost(broken: pg.Client): void {
    if (client !== broken) return
    void end()
    timer = setTimeout(() => void connect(), wait)
    wait = Math.min(2 * wait, LONGEST_WAIT_MS)
  }

  async function end(): Promise<void> {
    const last = client
    client = undefined
    clearTimeout(timer)
    timer = undefined
    // What is broken already does not end well.
    await last?.end().catch(() => {})
  }

  return {
    async announce(tx) {
      await sql`select pg_notify(${CHANNEL}, ${self})`.execute(tx)
    },
    listen(heard) {
      // Each its own, though the function be the same.
      const listener = () => heard()
      listeners.add(listener)
      if (client === undefined && timer === undefined) void connect()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) void end()
      }
    },
    async close() {
      listeners.clear()
      await end()
    },
  }
}
