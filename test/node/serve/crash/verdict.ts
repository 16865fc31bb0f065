import type { Ledger, State, Step, Thing } from './ledger.js'
import { disagreements, rowsOf, statesOf, type ZoneRows } from './look.js'
import type { Database } from '../../../../src/management/store/index.js'

/** What came of a ledger. */
export interface Verdict {
  /** Everything that is not as it must be. */
  readonly faults: readonly string[]
  /** Steps without an answer that are there, and those that are not. */
  readonly done: number
  readonly undone: number
  /** Objects that are there, each with what is known of it. */
  readonly survivors: readonly { readonly thing: Thing; readonly state: State }[]
}

/** Compares what writers know with what the store holds. */
export async function judge(
  db: Database,
  zones: readonly string[],
  { things, surprises }: Ledger,
): Promise<Verdict> {
  const faults: string[] = [...surprises]
  const survivors: { thing: Thing; state: State }[] = []
  let [done, undone] = [0, 0]
  for (const zone of zones) {
    const rows = await rowsOf(db, zone)
    faults.push(...disagreements(rows))
    const states = statesOf(rows)
    const claimed = new Set<string>()
    for (const thing of things.filter((each) => each.zone === zone)) {
      const id = thing.id ?? idOf(thing, rows)
      const { steps } = thing
      const state = id === undefined ? undefined : states.get(id)
      const records = rows.audit.filter(({ object_id }) => object_id === id)
      const acknowledged = steps.flatMap(({ requestId }) => requestId ?? [])
      const rest = records.filter(({ request_id }) => !acknowledged.includes(request_id))
      const open = steps.find(({ requestId }) => requestId === undefined)
      const happened = rest.length === 1 && open !== undefined
      if (happened) done++
      else if (open !== undefined) undone++
      const wrong = (what: string) => faults.push(`${thing.kind} ${id} ${what}: ${told(steps)}`)
      if (records.length !== acknowledged.length + (happened ? 1 : 0)) wrong('is recorded wrongly')
      if (!acknowledged.every((each) => recorded(records, each))) wrong('lacks a record')
      const last = happened ? open : steps.findLast(({ requestId }) => requestId !== undefined)
      if (!same(state, last?.after)) wrong(`is ${JSON.stringify(state)}`)
      if (id !== undefined) claimed.add(id)
      if (state !== undefined) survivors.push({ thing: { ...thing, id }, state })
    }
    for (const id of [...states.keys(), ...rows.audit.map(({ object_id }) => object_id)])
      if (!claimed.has(id)) faults.push(`nobody made ${id}`)
  }
  return { faults, done, undone, survivors }
}

/** The id that a call without an answer has given, if it was carried out: by its mark. */
function idOf({ steps }: Thing, { audit }: ZoneRows): string | undefined {
  const mark = steps[0]?.after?.['title'] ?? steps[0]?.after?.['endpoint']
  const made = audit.filter(({ action, after }) => {
    const { title, endpoint } = JSON.parse(after ?? '{}') as Record<string, string>
    return action === 'create' && mark !== undefined && (title ?? endpoint) === mark
  })
  return made[0]?.object_id
}

const recorded = (records: ZoneRows['audit'], id: string): boolean =>
  records.filter(({ request_id }) => request_id === id).length === 1

const same = (one: State, other: State): boolean =>
  JSON.stringify(Object.entries(one ?? {}).toSorted()) ===
  JSON.stringify(Object.entries(other ?? {}).toSorted())

const told = (steps: readonly Step[]): string =>
  steps.map(({ after, requestId }) => `${requestId ?? '?'} ${JSON.stringify(after)}`).join(', ')
