import { ALGORITHMS, MAX_KID_LENGTH } from '../../edge/token/index.js'
import type { Services } from '../store/index.js'
import { claim, type Claim } from './claim.js'
import { ANY_KEY, createDemand, type Demand } from './demand.js'
import { fetchKeySet } from './fetch-key-set.js'
import { keyName } from './key-name.js'
import { namesOf } from './key-set-schema.js'
import type { FetchEvent, KeySetOptions, KeySets } from './key-sets.js'
import { release, settle } from './settle.js'
import { dueKeySets, keySetOf, type KeySetRef, type KeySetRow } from './stored-key-sets.js'
import { withoutOverlap } from './without-overlap.js'

const LOOK_EVERY_MS = 1000
/** Fetches under way at once. */
const MAX_FETCHES = 20
/** Pause (µs) after a fault of the store. */
const AFTER_FAULT = 1_000_000

/** A fetch that began before somebody wanted it as well. */
type Run = Claim | { readonly kind: 'joined' }

/** Fetches remote key sets: one request at a time for each, in this process and all others. */
export function createKeySets(options: KeySetOptions): KeySets {
  const { services, outbound, every, later, onFault } = options
  const { db, at } = services
  const running = new Map<string, Promise<Claim>>()
  const demands = new Map<string, Demand>()
  const timers = new Map<string, () => void>()
  const listeners = new Set<(event: FetchEvent) => void>()
  const ending = new AbortController()
  const { signal } = ending
  let rest: (() => void) | undefined

  /** One fetch from claim to end. Whoever wants the same meanwhile shares it. */
  async function run(ref: KeySetRef, asked: boolean): Promise<Run> {
    const name = nameOf(ref)
    const under = running.get(name)
    if (under !== undefined) return under.then(() => ({ kind: 'joined' }))
    const fetching = fetchOnce(ref, asked).finally(() => running.delete(name))
    running.set(name, fetching)
    const claimed = await fetching
    if (claimed.kind === 'claimed') attend(ref)
    return claimed
  }

  async function fetchOnce(ref: KeySetRef, asked: boolean): Promise<Claim> {
    const claimed = await claim(db, ref, at(), asked)
    if (claimed.kind !== 'claimed') return claimed
    const demand = demands.get(nameOf(ref))
    demand?.begin()
    let found: ReadonlySet<string> | undefined
    try {
      found = await fetchAndSettle(claimed.row)
    } finally {
      demand?.end(found, at())
    }
    return claimed
  }

  /** The names of the keys that it found; `undefined` when it failed. */
  async function fetchAndSettle(row: KeySetRow): Promise<ReadonlySet<string> | undefined> {
    const fetched = await fetchKeySet(row, outbound, at() / 1000, signal)
    if (signal.aborted) return void (await release(db, row))
    const changed = await settle(services, row, fetched, at(), dice(services))
    const { zone_id, configuration_id } = row
    const outcome = fetched.ok ? (changed ? 'changed' : 'unchanged') : fetched.code
    for (const listener of listeners) listener({ zone_id, configuration_id, outcome })
    if (!fetched.ok) return undefined
    return fetched.set === undefined ? namesOf(row) : new Set(fetched.set.keys.map(keyName))
  }

  /** Sees to it that what tokens ask for is fetched as soon as it may be. */
  function attend(ref: KeySetRef): void {
    const name = nameOf(ref)
    const demand = demands.get(name)
    if (signal.aborted || demand?.dueAt === undefined || timers.has(name)) return
    const wait = Math.max(0, Math.ceil((demand.dueAt - at()) / 1000))
    const stop = later(wait, () => {
      timers.delete(name)
      void satisfy(ref, demand).catch((cause: unknown) => {
        onFault(cause)
        demand.delay(at() + AFTER_FAULT)
        attend(ref)
      })
    })
    timers.set(name, stop)
  }

  async function satisfy(ref: KeySetRef, demand: Demand): Promise<void> {
    const row = await keySetOf(db, ref)
    if (row === undefined) return void demands.delete(nameOf(ref))
    // Gates may not have heard yet of what is known here.
    demand.known(namesOf(row))
    if (demand.dueAt === undefined) return
    const claimed = await run(ref, true)
    if (claimed.kind === 'later') demand.delay(claimed.at)
    attend(ref)
  }

  const look = withoutOverlap(async () => {
    const free = MAX_FETCHES - running.size
    if (signal.aborted || free <= 0) return
    for (const ref of await dueKeySets(db, at(), free)) void run(ref, false).catch(onFault)
  }, onFault)

  return {
    keepFresh() {
      look()
      rest = every(LOOK_EVERY_MS, look)
    },
    onFetch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    unknownKeys(zone_id, { configuration_id, keys, more = false }) {
      const named = keys.filter(mayBeRemote).map(keyName)
      if (signal.aborted || (named.length === 0 && !more)) return
      const ref = { zone_id, configuration_id }
      const name = nameOf(ref)
      const demand = demands.get(name) ?? createDemand()
      demands.set(name, demand)
      for (const key of more ? [...named, ANY_KEY] : named) demand.ask(key, at())
      attend(ref)
    },
    async fetchDue(ref, patienceMs) {
      let stop: (() => void) | undefined
      const enough = new Promise<void>((resolve) => (stop = later(patienceMs, resolve)))
      await Promise.race([run(ref, false).catch(onFault), enough])
      stop?.()
    },
    async refresh(ref) {
      const claimed = await run(ref, true)
      return claimed.kind === 'later' ? { later: claimed.at } : {}
    },
    async close() {
      ending.abort()
      rest?.()
      for (const stop of timers.values()) stop()
      timers.clear()
      await Promise.allSettled(running.values())
    },
  }
}

const nameOf = ({ zone_id, configuration_id }: KeySetRef): string =>
  JSON.stringify([zone_id, configuration_id])

/** A secret never comes from an issuer, and no key has such a name. */
const mayBeRemote = ({ alg, kid }: { readonly alg: string; readonly kid: string }): boolean =>
  (ALGORITHMS.get(alg)?.kty ?? 'oct') !== 'oct' && kid !== '' && kid.length <= MAX_KID_LENGTH

/** From 0 to 1. */
const dice = ({ random }: Pick<Services, 'random'>): number => (random(1)[0] ?? 0) / 255
