import { changeZone, MissingRow, type Database, type Services } from '../store/index.js'
import { keyName } from './key-name.js'
import type { Fetched } from './fetch-key-set.js'
import type { RemoteKey } from './read-key-set.js'
import { expiryOf, refreshAt, retryAt } from './timetable.js'
import type { KeySetRow } from './stored-key-sets.js'

/** Whoever changes keys when no person does. */
const SYSTEM = { id: 'system', name: 'Portcullis' }

type Columns = Partial<KeySetRow>

/**
 * Writes down what a fetch brought; `at` in epoch µs, `random` from 0 to 1. Keys that changed are a
 * change of the zone, with a line in the audit log and a new version of its policy; anything else
 * is the row alone. What was claimed and meanwhile changed by others is left as it is.
 *
 * @returns whether the keys changed
 */
export async function settle(
  services: Pick<Services, 'db' | 'newId'>,
  row: KeySetRow,
  fetched: Fetched,
  at: number,
  random: number,
): Promise<boolean> {
  const columns = fetched.ok ? goodAnswer(fetched, at, random) : failure(row, fetched, at, random)
  const { keys = row.keys } = columns
  if (sameKeys(row.keys, keys)) {
    await write(services.db, row, { ...columns, keys: row.keys })
    return false
  }
  return changeKeys(services, row, { ...columns, last_change: changeOf(row.keys, keys, at) }, at)
}

function goodAnswer(
  { set, etag, last_modified, lifetime }: Fetched & { ok: true },
  at: number,
  random: number,
): Columns {
  return {
    ...(set && { keys: JSON.stringify(set.keys), findings: JSON.stringify(set.findings) }),
    etag,
    last_modified,
    fetched_at: at,
    expires_at: at + lifetime * 1000,
    next_fetch_at: refreshAt(at, lifetime * 1000, random),
    failures: 0,
    last_error: null,
  }
}

function failure(
  row: KeySetRow,
  { code, message }: Fetched & { ok: false },
  at: number,
  random: number,
): Columns {
  const failures = row.failures + 1
  const expired = (expiryOf(row) ?? Infinity) <= at
  return {
    ...(expired && { keys: '[]', etag: null, last_modified: null }),
    failures,
    next_fetch_at: retryAt(row, failures, at, random),
    last_error: JSON.stringify({ code, message, at }),
  }
}

async function changeKeys(
  { db, newId }: Pick<Services, 'db' | 'newId'>,
  row: KeySetRow,
  columns: Columns & { readonly keys?: string },
  at: number,
): Promise<boolean> {
  const { zone_id, configuration_id, uri } = row
  const origin = { actor: SYSTEM, request_id: newId(), at, zone_id }
  const named = { object_type: 'key_set', object_id: configuration_id }
  const record = (keys: string) => ({ jwks_uri: uri, keys: namesIn(keys) })
  try {
    const parts = ['token_configurations'] as const
    return await changeZone(db, newId, { ...origin, parts }, async (change) => {
      if (!(await write(change.tx, row, columns))) return false
      const [before, after] = [record(row.keys), record(columns.keys ?? '[]')]
      change.record({ action: 'update', ...named, before, after })
      return true
    })
  } catch (cause) {
    if (cause instanceof MissingRow) return false
    throw cause
  }
}

/** Gives a claim back as if nothing had been. */
export const release = (db: Database, row: KeySetRow): Promise<boolean> => write(db, row, {})

/** Writes as long as the claim holds, and gives it back. */
async function write(db: Database, row: KeySetRow, columns: Columns): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('remote_key_sets')
    .set({ ...columns, claimed_until: 0 })
    .where('zone_id', '=', row.zone_id)
    .where('configuration_id', '=', row.configuration_id)
    .where('uri', '=', row.uri)
    .where('claimed_until', '=', row.claimed_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const keysIn = (keys: string): readonly RemoteKey[] => JSON.parse(keys)

const namesIn = (keys: string) => keysIn(keys).map(({ alg, kid }) => ({ alg, kid }))

/** Whether two sets are one but for their order, which issuers may change as they like. */
function sameKeys(one: string, other: string): boolean {
  const sorted = (keys: string) =>
    keysIn(keys)
      .map((key) => JSON.stringify(Object.entries(key).toSorted()))
      .toSorted()
      .join()
  return one === other || sorted(one) === sorted(other)
}

function changeOf(before: string, after: string, at: number): string {
  const lacking = (keys: string, others: string) => {
    const names = new Set(namesIn(others).map(keyName))
    return namesIn(keys).filter((name) => !names.has(keyName(name)))
  }
  return JSON.stringify({ at, added: lacking(after, before), removed: lacking(before, after) })
}
