import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { canonicalHost } from '../../edge/selector/index.js'
import type { Listed, Page } from '../http/index.js'
import {
  changeZone,
  inPieces,
  laterThanAll,
  listPage,
  rowsAdded,
  rowsRemoved,
  snapshot,
  totalsOf,
  viewPage,
  type Change,
  type Database,
  type ListView,
  type Origin,
  type Row,
  type Services,
  type Transaction,
} from '../store/index.js'
import { hostTemplate, type Normalised } from './normalise.js'

type OperationRow = Row<'operations'>

/** What a list of operations is narrowed and ordered by. */
export interface Search extends Page {
  readonly host?: readonly string[] | undefined
  readonly method?: readonly string[] | undefined
  /** Part of an endpoint. */
  readonly endpoint?: string | undefined
  readonly order?: string | undefined
  readonly direction: 'asc' | 'desc'
}

const ORDER = new Map<string, 'method' | 'host' | 'endpoint'>([
  ['method', 'method'],
  ['host', 'host'],
  ['endpoint', 'endpoint'],
])

/** Operations of a zone, the oldest first unless ordered otherwise. */
export async function listOperations(
  db: Database,
  zoneId: string,
  search: Search,
): Promise<Listed<OperationRow>> {
  const list = { table: 'operations', scope: { column: 'zone_id', id: zoneId } } as const
  const conditions = conditionsOf(search)
  const column = ORDER.get(search.order ?? '')
  if (conditions.length === 0 && column === undefined) return listPage(db, list, search)
  return snapshot(db, async (tx) => {
    const { operations: total } = await totalsOf(tx, zoneId)
    const view: ListView<OperationRow> = {
      of: [list],
      ids: (way) =>
        tx
          .selectFrom('operations')
          .select('id')
          .where('zone_id', '=', zoneId)
          .where(({ and }) => and(conditions))
          .$if(column !== undefined, (rows) => rows.orderBy(column!, way))
          .orderBy('created_at', way)
          .orderBy('id', way),
      rows: (_tx, ids) =>
        tx
          .selectFrom('operations')
          .selectAll()
          .where('zone_id', '=', zoneId)
          .where('id', 'in', ids)
          .execute(),
      ...(conditions.length === 0 && { found: total }),
    }
    return { ...(await viewPage(db, tx, view, search)), total }
  })
}

function conditionsOf({ host, method, endpoint = '' }: Search): readonly RawBuilder<SqlBool>[] {
  const conditions = []
  if (host !== undefined) conditions.push(sql<SqlBool>`host in (${sql.join(host.map(asKept))})`)
  if (method !== undefined)
    conditions.push(sql<SqlBool>`method in (${sql.join(method.map((each) => each.toUpperCase()))})`)
  // LIKE reads wildcards and differs between the dialects; this is plain text on both.
  if (endpoint !== '') conditions.push(sql<SqlBool>`replace(endpoint, ${endpoint}, '') <> endpoint`)
  return conditions
}

const asKept = (host: string): string => {
  const canonical = canonicalHost(host)
  return canonical === undefined ? host : hostTemplate(canonical)
}

export const findOperation = (
  db: Database,
  zoneId: string,
  id: string,
): Promise<OperationRow | undefined> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Adds operations in their order. What matches the same requests as an older one gives that one. */
export async function addOperations(
  { db, newId }: Services,
  zoneId: string,
  operations: readonly Normalised[],
  origin: Origin,
): Promise<Added> {
  const change = { ...origin, zone_id: zoneId, parts: ['operations'] as const }
  return changeZone(db, newId, change, (under) =>
    insertOperations(under, newId, zoneId, operations),
  )
}

/** Operations as they were asked for, and how many of them are new. */
export interface Added {
  readonly rows: readonly OperationRow[]
  readonly added: number
}

/** The same within a change of the zone's operations. */
export async function insertOperations(
  { tx, record, at }: Change,
  newId: () => string,
  zoneId: string,
  operations: readonly Normalised[],
): Promise<Added> {
  const known = await findMatches(tx, zoneId, operations)
  const from = await laterThanAll(tx, 'operations', zoneId, at)
  const added: OperationRow[] = []
  const rows = operations.map((operation) => {
    const older = known.get(operation.match_key)
    if (older !== undefined) return older
    // Age settles overlaps, so no two are of one age.
    const created_at = from + added.length
    const row = { zone_id: zoneId, id: newId(), ...operation, created_at }
    known.set(row.match_key, row)
    added.push(row)
    return row
  })
  for (const piece of inPieces(added)) await tx.insertInto('operations').values(piece).execute()
  await rowsAdded(tx, 'operations', added)
  for (const { id, method, host, endpoint } of added)
    record({
      action: 'create',
      object_type: 'operation',
      object_id: id,
      after: { method, host, endpoint },
    })
  return { rows, added: added.length }
}

async function findMatches(
  tx: Transaction,
  zoneId: string,
  operations: readonly Normalised[],
): Promise<Map<string, OperationRow>> {
  const known = new Map<string, OperationRow>()
  for (const piece of inPieces(operations)) {
    const rows = await tx
      .selectFrom('operations')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where(
        'match_key',
        'in',
        piece.map(({ match_key }) => match_key),
      )
      .execute()
    for (const row of rows) known.set(row.match_key, row)
  }
  return known
}

/** Deletes operations and gives the ids of those that were there. */
export async function deleteOperations(
  { db, newId }: Services,
  zoneId: string,
  ids: readonly string[],
  origin: Origin,
): Promise<ReadonlySet<string>> {
  const change = { ...origin, zone_id: zoneId, parts: ['operations'] as const }
  return changeZone(db, newId, change, async ({ tx, record }) => {
    const deleted = new Set<string>()
    for (const piece of inPieces(ids)) {
      const rows = await tx
        .deleteFrom('operations')
        .where('zone_id', '=', zoneId)
        .where('id', 'in', piece)
        .returning(['zone_id', 'id', 'method', 'host', 'endpoint', 'created_at'])
        .execute()
      await rowsRemoved(tx, 'operations', rows)
      for (const { id, zone_id: _zone, created_at: _age, ...before } of rows) {
        deleted.add(id)
        record({ action: 'delete', object_type: 'operation', object_id: id, before })
      }
    }
    return deleted
  })
}
