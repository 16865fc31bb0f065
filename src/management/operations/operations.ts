import {
  changeZone,
  inPieces,
  laterThanAll,
  rowsAdded,
  rowsRemoved,
  type Change,
  type Database,
  type Origin,
  type Row,
  type Services,
  type Transaction,
} from '../store/index.js'
import type { Normalised } from './normalise.js'

type OperationRow = Row<'operations'>

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
