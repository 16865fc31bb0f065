import { ApiError, CODES } from '../http/index.js'
import { agesInOrder, inPieces, markAnew, type Change, type Row } from '../store/index.js'
import { normalise, type OperationInput } from './normalise.js'

type StoredOperation = OperationInput & { readonly operation_id: string }

/** Gives a zone the operations that an earlier version of its policy has. */
export async function restoreOperations(
  { tx, zone, at }: Change & { readonly zone: Row<'zones'> },
  part: unknown,
): Promise<void> {
  const wanted = part as readonly StoredOperation[]
  const ids = wanted.map(({ operation_id }) => operation_id)
  const there = await tx
    .selectFrom('operations')
    .select(['id', 'created_at'])
    .where('zone_id', '=', zone.id)
    .execute()
  const known = new Map(there.map(({ id, created_at }) => [id, created_at]))
  const kept = new Set(ids)
  for (const piece of inPieces([...known.keys()].filter((id) => !kept.has(id))))
    await tx
      .deleteFrom('operations')
      .where('zone_id', '=', zone.id)
      .where('id', 'in', piece)
      .execute()
  const ages = agesInOrder(ids, known, at)
  const missing: Row<'operations'>[] = []
  for (const [index, { operation_id: id, ...operation }] of wanted.entries()) {
    const created_at = ages[index]!
    if (!known.has(id))
      missing.push({ zone_id: zone.id, id, ...(await asKept(operation)), created_at })
    else if (known.get(id) !== created_at)
      await tx
        .updateTable('operations')
        .set({ created_at })
        .where('zone_id', '=', zone.id)
        .where('id', '=', id)
        .execute()
  }
  for (const rows of inPieces(missing)) await tx.insertInto('operations').values(rows).execute()
  await markAnew(tx, { table: 'operations', scope: { column: 'zone_id', id: zone.id } })

  async function asKept(operation: OperationInput) {
    // As it was kept: what there was to merge is merged already.
    const result = await normalise(operation, { name: zone.name, mergeSlashes: false })
    if ('match_key' in result) return result
    throw new ApiError(
      409,
      CODES.conflict,
      `${operation.host} ${operation.endpoint}: ${result.text}`,
    )
  }
}
