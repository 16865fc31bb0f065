import { PolicyError, type Zone } from '../../edge/index.js'
import type { Management, PolicyHead, ZonePolicy } from '../../management/index.js'

/** What happened while following. */
export type FollowEvent =
  | { readonly kind: 'in_force' | 'gone'; readonly zone: string; readonly version: number }
  | {
      readonly kind: 'refused'
      readonly zone: string
      readonly version: number
      cause: PolicyError
    }
  /** The store did not answer: what is in force stays so. Told when it begins and when it ends. */
  | { readonly kind: 'lost'; readonly cause: unknown }
  | { readonly kind: 'found' }

export interface FollowOptions {
  /**
   * Puts zones in force in place of those before, whole or not at all.
   * @throws {PolicyError} as a rejection
   */
  readonly put: (policy: { readonly zones: readonly Zone[] }) => Promise<unknown>
  readonly onEvent: (event: FollowEvent) => void
  /** How often changes are looked for that nobody announced. Default 1 s. */
  readonly pollMs?: number
}

/** What keeps a gate in step with the store. */
export interface ZoneFollower {
  /** Looks for changes now. Resolves when those committed before the call are in force; never rejects. */
  changed(): Promise<void>
  /** Resolves when what was announced before the call is in force; never rejects. */
  settled(): Promise<void>
  /** The zones in force. */
  readonly running: readonly ZonePolicy[]
  /** False while the store does not answer. */
  readonly inStep: boolean
  stop(): Promise<void>
}

/** A gate has at least one zone. Nobody has a name below `.invalid` (RFC 6761). */
export const NO_ZONE: Zone = { id: 'none', name: 'none.invalid' }

/** Puts every zone that has an upstream in force, and every change of one as it is announced. */
export function followZones(
  management: Pick<Management, 'policy' | 'policyHeads' | 'onPolicy'>,
  { put, onEvent, pollMs = 1000 }: FollowOptions,
): ZoneFollower {
  /** By zone. What was refused is not tried again before it changes. */
  const seen = new Map<string, string>()
  /** Zones whose newest version is refused. */
  const refused = new Set<string>()
  let running: ReadonlyMap<string, ZonePolicy> = new Map()
  let inStep = true
  let looking: Promise<void> | undefined
  let again: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  /** All changes at once; when that fails each on its own, so that one bad zone holds up no other. */
  async function apply(changes: Changes): Promise<void> {
    try {
      await take(changes)
    } catch (cause) {
      if (!(cause instanceof PolicyError)) throw cause
      for (const [zone, policy] of changes) {
        try {
          await take(new Map([[zone, policy]]))
        } catch (refusal) {
          if (!(refusal instanceof PolicyError)) throw refusal
          refused.add(zone)
          onEvent({ kind: 'refused', zone, version: policy?.version ?? 0, cause: refusal })
        }
      }
    }
  }

  async function take(changes: Changes): Promise<void> {
    const next = new Map(running)
    for (const [zone, policy] of changes) {
      if (policy?.zone.upstream === undefined) next.delete(zone)
      else next.set(zone, policy)
    }
    const zones = [...next.values()].map(({ zone }) => zone)
    await put({ zones: zones.length === 0 ? [NO_ZONE] : zones })
    const before = running
    running = next
    for (const [zone, policy] of changes) {
      const version = policy?.version ?? before.get(zone)?.version ?? 0
      const wasRefused = refused.delete(zone)
      if (next.has(zone)) onEvent({ kind: 'in_force', zone, version })
      else if (before.has(zone) || wasRefused) onEvent({ kind: 'gone', zone, version })
    }
  }

  async function look(): Promise<void> {
    const heads = new Map((await management.policyHeads()).map((head) => [head.zone_id, head]))
    const changes = new Map<string, ZonePolicy | undefined>()
    const marks = new Map<string, string>()
    for (const [zone, head] of heads) {
      if (seen.get(zone) === markOf(head)) continue
      const policy = await management.policy(zone)
      // Frozen zones are not compiled again because another one changes.
      Object.freeze(policy?.zone)
      changes.set(zone, policy)
      marks.set(zone, markOf(policy ?? head))
    }
    for (const zone of seen.keys()) if (!heads.has(zone)) changes.set(zone, undefined)
    if (changes.size > 0) await apply(changes)
    for (const zone of changes.keys()) {
      const mark = marks.get(zone)
      if (mark === undefined) seen.delete(zone)
      else seen.set(zone, mark)
    }
  }

  async function tryToLook(): Promise<void> {
    try {
      await look()
      if (!inStep) onEvent({ kind: 'found' })
      inStep = true
    } catch (cause) {
      if (inStep) onEvent({ kind: 'lost', cause })
      inStep = false
    } finally {
      looking = undefined
    }
  }

  function changed(): Promise<void> {
    if (stopped) return Promise.resolve()
    if (looking === undefined) return (looking = tryToLook())
    // The look under way may have read before the change.
    return (again ??= looking.then(() => {
      again = undefined
      return changed()
    }))
  }

  const poll = () => {
    timer = setTimeout(() => void changed().then(() => stopped || poll()), pollMs)
  }
  poll()
  const unlisten = management.onPolicy(() => void changed())

  return {
    changed,
    settled: () => again ?? looking ?? Promise.resolve(),
    get running() {
      return [...running.values()]
    },
    get inStep() {
      return inStep
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      unlisten()
      await (again ?? looking)
    },
  }
}

type Changes = ReadonlyMap<string, ZonePolicy | undefined>

/** A zone that is deleted and made again begins with version 1 once more. */
const markOf = ({ version, hash, created_at }: Omit<PolicyHead, 'zone_id'>): string =>
  `${version} ${hash} ${created_at}`
