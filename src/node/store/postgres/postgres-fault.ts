import type { StoreFault } from '../../../management/index.js'

/** SQLSTATE codes, or how they begin: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const BY_STATE: readonly (readonly [beginning: string, fault: StoreFault])[] = [
  ['08', 'away'],
  // It stops, it starts, its database is gone.
  ['57P', 'away'],
  // It lets us in no more: a changed password is the operator's matter, as a stopped server is.
  ['28', 'away'],
  ['3D000', 'away'],
  ['25006', 'read_only'],
  ['53100', 'full'],
  ['53', 'busy'],
  ['40001', 'busy'],
  ['40P01', 'busy'],
  ['55P03', 'busy'],
]

/** What the network says. */
const BY_CODE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A socket in the file system.
  'ENOENT',
])

/** What the driver says, without a code. */
const BY_MESSAGE: ReadonlyMap<string, StoreFault> = new Map([
  ['Connection terminated', 'away'],
  ['Connection terminated unexpectedly', 'away'],
  ['Connection terminated due to connection timeout', 'away'],
  ['Client has encountered a connection error and is not queryable', 'away'],
  ['Client was closed and is not queryable', 'away'],
  ['timeout expired', 'away'],
  ['timeout exceeded when trying to connect', 'busy'],
])

/** What an error of `pg` means when it is the server's or the network's. */
export function postgresFault(cause: unknown): StoreFault | undefined {
  if (!(cause instanceof Error)) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  if (BY_CODE.has(code)) return 'away'
  return (
    BY_MESSAGE.get(cause.message) ??
    BY_STATE.find(([beginning]) => code.length === 5 && code.startsWith(beginning))?.[1]
  )
}
