import { offsetOf, type Listed, type Page } from '../http/index.js'
import { countOf, inPieces, type Database, type Row } from '../store/index.js'

/** Gates not heard of for a day are forgotten. Epoch µs. */
const FORGET_AFTER = 86_400_000_000
/** Gates of a zone. Names come from outside: beyond this the longest silent are forgotten. */
const MAX_INSTANCES = 1000

/** What a gate tells of itself. `started_at` is in epoch µs. */
export interface InstanceReport {
  readonly zone_id: string
  readonly instance: string
  readonly version: number
  readonly hash: string
  readonly refused?: Refused | undefined
  readonly started_at: number
}

/** A version that a gate does not run, and why: the first fault of it, as far as the store takes it. */
export interface Refused {
  readonly version: number
  readonly code: string
  readonly message: string
  readonly pointer: string
}

type InstanceRow = Row<'gate_instances'>

/** Keeps what gates tell, in place of what they told before, and gives it as it is kept. */
export async function keepReports(
  db: Database,
  reports: readonly InstanceReport[],
  at: number,
): Promise<readonly InstanceRow[]> {
  const rows = reports.map(({ refused, ...report }) => ({
    ...report,
    refused: refused === undefined ? null : JSON.stringify(refused),
    last_seen: at,
  }))
  for (const piece of inPieces(rows))
    await db
      .insertInto('gate_instances')
      .values(piece)
      .onConflict((conflict) =>
        conflict.columns(['zone_id', 'instance']).doUpdateSet(({ ref }) => ({
          version: ref('excluded.version'),
          hash: ref('excluded.hash'),
          refused: ref('excluded.refused'),
          started_at: ref('excluded.started_at'),
          last_seen: ref('excluded.last_seen'),
        })),
      )
      .execute()
  await db
    .deleteFrom('gate_instances')
    .where('last_seen', '<', at - FORGET_AFTER)
    .execute()
  return rows
}

/** The same for a gate that nobody here knows: names beyond those that there is room for go. */
export async function keepReport(
  db: Database,
  report: InstanceReport,
  at: number,
): Promise<InstanceRow> {
  const [row] = await keepReports(db, [report], at)
  const { zone_id } = report
  await db
    .deleteFrom('gate_instances')
    .where('zone_id', '=', zone_id)
    .where('instance', 'in', overflow(db, zone_id))
    .execute()
  return row!
}

/** Names of the gates of a zone that there is no room for. */
const overflow = (db: Database, zoneId: string) =>
  db
    .selectFrom('gate_instances')
    .select('instance')
    .where('zone_id', '=', zoneId)
    .orderBy('last_seen', 'desc')
    .orderBy('instance')
    .limit(MAX_INSTANCES)
    .offset(MAX_INSTANCES)

/** A gate as it is known across zones. Times are epoch µs. */
export type GateState = Pick<InstanceRow, 'zone_id' | 'instance' | 'version' | 'last_seen'> & {
  /** The version that it refused, unless it runs what it was given. */
  readonly refused: number | null
}

/** All gates of all zones that were heard of lately. */
export async function gateStates(db: Database, at: number): Promise<readonly GateState[]> {
  const rows = await db
    .selectFrom('gate_instances')
    .select(['zone_id', 'instance', 'version', 'last_seen', 'refused'])
    .where('last_seen', '>=', at - FORGET_AFTER)
    .orderBy('zone_id')
    .orderBy('instance')
    .execute()
  return rows.map(({ refused, ...row }) => ({
    ...row,
    refused: refused === null ? null : (JSON.parse(refused) as { version: number }).version,
  }))
}

/** Gates of a zone that were heard of lately, by name. */
export async function listInstances(
  db: Database,
  zoneId: string,
  page: Page,
  at: number,
): Promise<Listed<InstanceRow>> {
  const all = db
    .selectFrom('gate_instances')
    .where('zone_id', '=', zoneId)
    .where('last_seen', '>=', at - FORGET_AFTER)
  const items = await all
    .selectAll()
    .orderBy('instance')
    .limit(page.per_page)
    .offset(offsetOf(page))
    .execute()
  const total = await countOf(all)
  return { items, found: total, total }
}
