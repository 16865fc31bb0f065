import { KeySetFault } from './key-set-fault.js'
import { lifetimeOf } from './lifetime.js'
import type { Outbound } from '../http/index.js'
import { readKeySet, type ReadKeySet } from './read-key-set.js'
import type { KeySetRow } from './stored-key-sets.js'

const BOUNDS = { maxBytes: 1_048_576, timeoutMs: 10_000 }
const MAX_VALIDATOR = 500

/** What a fetch brought. `set` is missing where the set is the one that is known. */
export type Fetched =
  | {
      readonly ok: true
      readonly set?: ReadKeySet
      readonly etag: string | null
      readonly last_modified: string | null
      /** Milliseconds. */
      readonly lifetime: number
    }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** Asks once for a key set. `now` in epoch ms. Never rejects. */
export async function fetchKeySet(
  row: KeySetRow,
  outbound: Outbound,
  now: number,
  signal: AbortSignal,
): Promise<Fetched> {
  try {
    const known = row.keys !== '[]'
    const { status, headers, body } = await outbound(row.uri, {
      ...BOUNDS,
      signal,
      headers: {
        accept: 'application/jwk-set+json, application/json',
        ...(known && row.etag !== null && { 'if-none-match': row.etag }),
        ...(known && row.last_modified !== null && { 'if-modified-since': row.last_modified }),
      },
    })
    const validators = {
      etag: validator(headers.get('etag')),
      last_modified: validator(headers.get('last-modified')),
    }
    const lifetime = lifetimeOf(headers, now)
    if (status === 304 && known) {
      const { etag, last_modified } = row
      return { ok: true, etag, last_modified, ...present(validators), lifetime }
    }
    if (status !== 200) throw new KeySetFault('bad_status', `the answer has the status ${status}`)
    return { ok: true, set: readKeySet(body), ...validators, lifetime }
  } catch (cause) {
    return { ok: false, ...faultOf(cause) }
  }
}

/** What would not fit into a header again is none. */
const validator = (value: string | null): string | null =>
  value !== null && value.length <= MAX_VALIDATOR && /^[\x20-\x7e]+$/.test(value) ? value : null

const present = (validators: Readonly<Record<string, string | null>>): object =>
  Object.fromEntries(Object.entries(validators).filter(([, value]) => value !== null))

function faultOf(cause: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return typeof code === 'string' && typeof message === 'string'
    ? { code, message }
    : { code: 'failed', message: 'the fetch failed' }
}
