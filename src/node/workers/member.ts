import type { PolicyIssue } from '../../edge/index.js'
import type { GateCounts } from './gate-counts.js'
import { pack, zonesOf, type Shipment } from './shipment.js'
import { WorkerEnded, type WorkerLink } from './worker-link.js'

/** A worker, and what is known of it. */
export interface Member {
  readonly link: WorkerLink
  /** What it decides by; undefined before its first policy. */
  policy: unknown
  /** What it told last. */
  counts: GateCounts | undefined
}

/**
 * Hands a policy to members, all at once, and gives what is odd in it, as told by one that took it;
 * `undefined` when all of them ended.
 *
 * @throws {PolicyError} as a rejection, of any of them
 */
export async function deliver(
  members: readonly Member[],
  policy: unknown,
): Promise<readonly PolicyIssue[] | undefined> {
  const shipmentFor = packed(policy)
  const told = await Promise.allSettled(
    members.map(async (member) => {
      const notices = await member.link.ask('put', shipmentFor(member))
      member.policy = policy
      return notices
    }),
  )
  let notices: readonly PolicyIssue[] | undefined
  for (const each of told) {
    if (each.status === 'fulfilled') notices = each.value
    else if (!(each.reason instanceof WorkerEnded)) throw each.reason
  }
  return notices
}

/** Asks for the counts of a member, and keeps them: they are wanted after its end too. */
export async function count(member: Member): Promise<void> {
  try {
    member.counts = await member.link.ask('count', undefined)
  } catch (cause) {
    if (!(cause instanceof WorkerEnded)) throw cause
  }
}

/** Packs a policy once for all members that have the same one so far. */
function packed(policy: unknown): (member: Member) => Shipment {
  const shipments = new Map<unknown, Shipment>()
  return ({ policy: before }) => {
    const known = shipments.get(before)
    if (known !== undefined) return known
    const shipment = pack(policy, before === undefined ? [] : zonesOf(before))
    shipments.set(before, shipment)
    return shipment
  }
}
