import { z } from '@hono/zod-openapi'
import { moment } from '../store/index.js'
import { keyName } from './key-name.js'
import type { Finding, RemoteKey } from './read-key-set.js'
import type { KeySetRow } from './stored-key-sets.js'

const State = z.enum(['pending', 'fresh', 'failing', 'stale', 'expired']).openapi('KeySetState', {
  description:
    'pending: not fetched yet. fresh: as the issuer says. failing: the last fetch failed, which changes nothing yet. stale: the answer is older than it may be, its keys stay in force for a week. expired: they do no more.',
})
type State = z.infer<typeof State>

const LastError = z
  .object({ code: z.string(), message: z.string(), at: z.string() })
  .openapi('KeySetError', { description: 'Of the last fetch, if it failed.' })

const KeyName = z.object({ alg: z.string(), kid: z.string() })

/** How it stands with a key set, in brief. */
export const KeySetSummary = z
  .object({
    state: State,
    keys: z.number().int(),
    fetched_at: z.string().nullable(),
    last_error: LastError.nullable(),
  })
  .openapi('KeySetSummary')
export type KeySetSummary = z.input<typeof KeySetSummary>

/** The same in full. */
export const RemoteKeySet = z
  .object({
    jwks_uri: z.string(),
    state: State,
    fetched_at: z.string().nullable().openapi({ description: 'The last good answer.' }),
    expires_at: z.string().nullable().openapi({ description: 'Until when it is fresh.' }),
    stale_since: z.string().nullable(),
    next_fetch_at: z.string(),
    failures: z.number().int().openapi({ description: 'Since the last good answer.' }),
    last_error: LastError.nullable(),
    keys: z
      .array(z.looseObject({ alg: z.string(), kid: z.string(), kty: z.string() }))
      .openapi({ description: 'Behind the fixed keys, as many as fit.' }),
    skipped: z
      .array(z.object({ pointer: z.string(), kid: z.string().nullable(), message: z.string() }))
      .openapi({ description: 'Keys of the set that are not used, and why.' }),
    notices: z.array(
      z.object({ pointer: z.string(), kid: z.string().nullable(), message: z.string() }),
    ),
    fixed: z.array(KeyName).openapi({ description: 'Keys of the configuration itself: they win.' }),
    last_change: z
      .object({ at: z.string(), added: z.array(KeyName), removed: z.array(KeyName) })
      .nullable(),
  })
  .openapi('RemoteKeySet')

/** @param at epoch µs */
export function stateOf(row: KeySetRow, at: number): State {
  const { fetched_at, expires_at, keys, failures } = row
  if (fetched_at === null || expires_at === null) return failures > 0 ? 'failing' : 'pending'
  if (keys === '[]') return 'expired'
  if (at > expires_at) return 'stale'
  return failures > 0 ? 'failing' : 'fresh'
}

export const keySetSummary = (row: KeySetRow, at: number): KeySetSummary => ({
  state: stateOf(row, at),
  keys: keysOf(row).length,
  fetched_at: momentOf(row.fetched_at),
  last_error: errorOf(row),
})

export function keySetWire(
  row: KeySetRow,
  fixed: readonly z.input<typeof KeyName>[],
  at: number,
): z.input<typeof RemoteKeySet> {
  const state = stateOf(row, at)
  const findings: readonly Finding[] = JSON.parse(row.findings)
  const told = (used: boolean) =>
    findings.filter((each) => each.used === used).map(({ used: _used, ...rest }) => rest)
  const change: { at: number; added: []; removed: [] } | null = JSON.parse(
    row.last_change ?? 'null',
  )
  return {
    jwks_uri: row.uri,
    state,
    fetched_at: momentOf(row.fetched_at),
    expires_at: momentOf(row.expires_at),
    stale_since: state === 'stale' || state === 'expired' ? momentOf(row.expires_at) : null,
    next_fetch_at: moment(row.next_fetch_at),
    failures: row.failures,
    last_error: errorOf(row),
    keys: keysOf(row).map((key) => ({ ...key })),
    skipped: told(false),
    notices: told(true),
    fixed: fixed.map(({ alg, kid }) => ({ alg, kid })),
    last_change: change && { ...change, at: moment(change.at) },
  }
}

/** Names of the keys that a set has in force. */
export const namesOf = (row: KeySetRow): ReadonlySet<string> => new Set(keysOf(row).map(keyName))

const keysOf = ({ keys }: KeySetRow): readonly RemoteKey[] => JSON.parse(keys)

const momentOf = (at: number | null): string | null => (at === null ? null : moment(at))

function errorOf({ last_error }: KeySetRow): z.input<typeof LastError> | null {
  if (last_error === null) return null
  const { code, message, at }: { code: string; message: string; at: number } =
    JSON.parse(last_error)
  return { code, message, at: moment(at) }
}
