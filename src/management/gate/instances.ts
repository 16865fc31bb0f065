import type { Database, Row } from '../store/index.js'

/** Gates not heard of for a day are forgotten. Epoch µs. */
const FORGET_AFTER = 86_400_000_000

/** What a gate tells of itself. `started_at` is in epoch µs. */
export interface InstanceReport {
  readonly instance: string
  readonly version: number
  readonly hash: string
  readonly refused?: object | undefined
  readonly started_at: number
}

type InstanceRow = Row<'gate_instances'>

/** Keeps what a gate tells, in place of what it told before. */
export async function keepReport(
  db: Database,
  zoneId: string,
  { refused, ...report }: InstanceReport,
  at: number,
): Promise<InstanceRow> {
  const row = {
    zone_id: zoneId,
    ...report,
    refused: refused === undefined ? null : JSON.stringify(refused),
    last_seen: at,
  }
  const { zone_id: _zone, instance: _name, ...members } = row
  await db
    .insertInto('gate_instances')
    .values(row)
    .onConflict((conflict) => conflict.columns(['zone_id', 'instance']).doUpdateSet(members))
    .execute()
  await db
    .deleteFrom('gate_instances')
    .where('zone_id', '=', zoneId)
    .where('last_seen', '<', at - FORGET_AFTER)
    .execute()
  return row
}

/** All gates of a zone by name. */
export const listInstances = (db: Database, zoneId: string): Promise<readonly InstanceRow[]> =>
  db
    .selectFrom('gate_instances')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .orderBy('instance')
    .execute()
