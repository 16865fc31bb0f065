import { canonicalHost, type Operation } from '../../edge/selector/index.js'
import { partsOf, type Row, type Transaction } from '../store/index.js'

/** The operations of a zone, and the same by canonical host, so that a rule looks at its own only. */
export interface ZoneOperations {
  readonly all: readonly Operation[]
  readonly byHost: ReadonlyMap<string, readonly Operation[]>
}

/** Operations remembered at once, of all zones together: some 200 bytes each. */
const REMEMBERED = 100_000

/** By the hash of what they are, so that what is remembered cannot be out of date. */
const remembered = new Map<string, ZoneOperations>()

/**
 * Reads the operations of a zone, unless they are the same as at the last time. Within a change this
 * holds only for one that does not touch operations.
 */
export async function zoneOperations(tx: Transaction, zone: Row<'zones'>): Promise<ZoneOperations> {
  const hash = (await partsOf(tx, zone)).parts['operations'] ?? ''
  const known = remembered.get(hash) ?? (await readOperations(tx, zone.id))
  remembered.delete(hash)
  if (hash !== '') remembered.set(hash, known)
  forget()
  return known
}

async function readOperations(tx: Transaction, zoneId: string): Promise<ZoneOperations> {
  const all = await tx
    .selectFrom('operations')
    .select(['id as operation_id', 'method', 'host', 'endpoint'])
    .where('zone_id', '=', zoneId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const byHost = new Map<string, Operation[]>()
  for (const operation of all) {
    const host = canonicalHost(operation.host) ?? operation.host
    const group = byHost.get(host)
    if (group === undefined) byHost.set(host, [operation])
    else group.push(operation)
  }
  return { all, byHost }
}

/** Those not asked for the longest go first, but never the newest. */
function forget(): void {
  let count = [...remembered.values()].reduce((sum, { all }) => sum + all.length, 0)
  for (const [hash, { all }] of remembered) {
    if (count <= REMEMBERED || remembered.size === 1) return
    remembered.delete(hash)
    count -= all.length
  }
}
