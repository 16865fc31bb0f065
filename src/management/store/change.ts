import { announce as announceTo, committed } from './announcements.js'
import { rowsAdded } from './count-rows.js'
import { countOf } from './count.js'
import { inPieces, type Database, type Row, type Transaction } from './database.js'
import { checkMarks } from './fill-marks.js'
import { historyLimits, pruneHistory } from './history.js'
import { newVersion } from './list-version.js'
import { lockRow } from './lock-row.js'
import type { PolicyPart } from './policy-part.js'
import { recordPolicy } from './record-policy.js'

/** Who changes something, when (epoch µs) and with which request. */
export interface Origin {
  readonly actor: { readonly id: string; readonly name: string }
  readonly request_id: string
  readonly at: number
}

/** One line of the audit log. `before` and `after` go there as they are: no secret in them. */
export interface AuditEntry {
  readonly action: 'create' | 'update' | 'delete'
  readonly object_type: string
  readonly object_id: string
  readonly account_id?: string | null
  readonly zone_id?: string | null
  readonly before?: unknown
  readonly after?: unknown
}

/** A change under way: everything through `tx`, everything recorded. */
export interface Change extends Origin {
  readonly tx: Transaction
  record(entry: AuditEntry): void
  /** To be announced once it is committed: a new version of a zone's policy. */
  announce(zoneId: string, version: number): void
}

/** The row that was to be changed is gone. */
export class MissingRow extends Error {
  override readonly name = 'MissingRow'
}

/** Runs a change in one transaction together with its lines in the audit log: all of it, or nothing. */
export async function change<Result>(
  db: Database,
  newId: () => string,
  origin: Origin,
  run: (change: Change) => Promise<Result>,
): Promise<Result> {
  const news: [zoneId: string, version: number][] = []
  const announce: Change['announce'] = (...version) => void news.push(version)
  // Whatever the database's default is: a change that waits for another must see what it did.
  const transaction = db.transaction().setIsolationLevel('read committed')
  const result = await transaction.execute(async (tx) => {
    const entries: AuditEntry[] = []
    const done = await run({ ...origin, tx, record: (entry) => entries.push(entry), announce })
    const rows = entries.map((entry) => auditRow(entry, newId(), origin))
    for (const piece of inPieces(rows)) await tx.insertInto('audit_log').values(piece).execute()
    await rowsAdded(tx, 'audit_log', rows)
    if (news.length > 0) await announceTo(db, tx)
    return done
  })
  for (const [zoneId, version] of news) committed(db, zoneId, version)
  return result
}

/**
 * The same for a change of a zone's configuration. Changes of one zone follow one another, and the
 * parts of its policy that are named become a new version of it.
 *
 * @throws {MissingRow} when there is no such zone any more.
 */
export async function changeZone<Result>(
  db: Database,
  newId: () => string,
  origin: Origin & { readonly zone_id: string; readonly parts: readonly PolicyPart[] },
  run: (change: Change & { readonly zone: Row<'zones'> }) => Promise<Result>,
): Promise<Result> {
  const { zone_id, parts, ...rest } = origin
  return change(db, newId, rest, async (under) => {
    const zone = await lockRow(under.tx, 'zones', zone_id)
    if (zone === undefined) throw new MissingRow('the zone is gone')
    const record = (entry: AuditEntry) =>
      under.record({ account_id: zone.account_id, zone_id, ...entry })
    const result = await run({ ...under, record, zone })
    if (parts.includes('operations')) {
      const n = await recount(under.tx, zone_id, 'operation')
      await checkMarks(
        under.tx,
        { table: 'operations', scope: { column: 'zone_id', id: zone_id } },
        n,
      )
    }
    if (parts.includes('rules')) {
      await recount(under.tx, zone_id, 'rule')
      await newVersion(under.tx, { table: 'rules', scope: { column: 'zone_id', id: zone_id } })
    }
    await recordPolicy(under, zone, parts)
    if (parts.length > 0) await pruneHistory(under.tx, zone_id, historyLimits(db), rest.at)
    return result
  })
}

async function recount(
  tx: Transaction,
  zoneId: string,
  what: 'operation' | 'rule',
): Promise<number> {
  const n = await countOf(tx.selectFrom(`${what}s`).where('zone_id', '=', zoneId))
  await tx
    .updateTable('zones')
    .set(what === 'rule' ? { rule_count: n } : { operation_count: n })
    .where('id', '=', zoneId)
    .execute()
  return n
}

function auditRow(entry: AuditEntry, id: string, origin: Origin): Row<'audit_log'> {
  const { before, after, account_id = null, zone_id = null, ...rest } = entry
  return {
    id,
    ...rest,
    account_id,
    zone_id,
    at: origin.at,
    actor_id: origin.actor.id,
    actor_name: origin.actor.name,
    request_id: origin.request_id,
    before: json(before),
    after: json(after),
  }
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))
