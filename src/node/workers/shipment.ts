import type { Zone } from '../../edge/index.js'

/** Entries of a list that are written, and read, at once: some tenths of a millisecond. */
const SLICE = 250
/** Members of a zone that may be long. */
const LISTS = ['token_configurations', 'operations', 'rules'] as const

/**
 * A policy on its way to another process, as text in slices so that reading it holds up nothing.
 * Zones that are there already are named and not sent.
 */
export interface Shipment {
  /** A document of one zone, one of several, or one that is neither and will be refused. */
  readonly form: 'zone' | 'zones' | 'whole'
  /** What is not in `zones`. */
  readonly rest: string
  readonly zones: readonly PackedZone[]
}

/** The position that a zone has at the receiver, or the zone. */
type PackedZone = number | { readonly rest: string; readonly lists: readonly PackedList[] }
type PackedList = readonly [name: string, slices: readonly string[]]

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Packs a policy for a receiver that has the zones `there` (the very same objects) already. */
export function pack(policy: unknown, there: readonly unknown[]): Shipment {
  const packed = (zone: unknown): PackedZone => {
    const at = there.indexOf(zone)
    return at === -1 ? packZone(zone) : at
  }
  if (!isObject(policy)) return { form: 'whole', rest: JSON.stringify(policy ?? null), zones: [] }
  if (!Object.hasOwn(policy, 'zones')) return { form: 'zone', rest: '{}', zones: [packed(policy)] }
  const { zones, ...rest } = policy
  if (!Array.isArray(zones)) return { form: 'whole', rest: JSON.stringify(policy), zones: [] }
  return { form: 'zones', rest: JSON.stringify(rest), zones: zones.map(packed) }
}

/** The zones of a policy, as `pack` and `unpack` count them. */
export const zonesOf = (policy: unknown): readonly unknown[] =>
  isObject(policy) && Array.isArray(policy['zones']) ? policy['zones'] : [policy]

function packZone(zone: unknown): PackedZone {
  if (!isObject(zone)) return { rest: JSON.stringify(zone ?? null), lists: [] }
  const rest = { ...zone }
  const lists: PackedList[] = []
  for (const name of LISTS) {
    const entries = zone[name]
    if (!Array.isArray(entries)) continue
    delete rest[name]
    lists.push([name, slicesOf(entries)])
  }
  return { rest: JSON.stringify(rest), lists }
}

const slicesOf = (entries: readonly unknown[]): readonly string[] =>
  Array.from({ length: Math.ceil(entries.length / SLICE) }, (_, at) =>
    JSON.stringify(entries.slice(at * SLICE, (at + 1) * SLICE)),
  )

/**
 * The policy of a shipment, where `there` are the zones of the one before. Its zones are frozen: a
 * gate knows those again.
 */
export async function unpack(
  { form, rest, zones }: Shipment,
  there: readonly unknown[],
  pause: () => Promise<void> | undefined,
): Promise<unknown> {
  if (form === 'whole') return JSON.parse(rest)
  const unpacked: unknown[] = []
  for (const zone of zones)
    unpacked.push(typeof zone === 'number' ? there[zone] : await unpackZone(zone, pause))
  return form === 'zone' ? unpacked[0] : { ...JSON.parse(rest), zones: unpacked as Zone[] }
}

async function unpackZone(
  { rest, lists }: Exclude<PackedZone, number>,
  pause: () => Promise<void> | undefined,
): Promise<unknown> {
  const zone: unknown = JSON.parse(rest)
  for (const [name, slices] of lists) {
    const entries: unknown[] = []
    for (const slice of slices) {
      await pause()
      entries.push(...(JSON.parse(slice) as unknown[]))
    }
    ;(zone as Record<string, unknown>)[name] = entries
  }
  return Object.freeze(zone)
}
