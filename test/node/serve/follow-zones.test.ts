import { describe, expect, onTestFinished, test } from 'vitest'
import { createGate, type Zone } from '../../../src/edge/index.js'
import type { Management, ZonePolicy } from '../../../src/management/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { givingWay } from '../../../src/node/giving-way.js'
import {
  followZones,
  NO_ZONE,
  type FollowEvent,
  type ZoneFollower,
} from '../../../src/node/serve/follow-zones.js'

const upstream = 'http://127.0.0.1:9'
const bad = [{ action: 'block', expression: 'nonsense' }] as const

/** A store of policies that a test changes as it likes. */
function stage() {
  const policies = new Map<string, ZonePolicy>()
  const events: FollowEvent[] = []
  const store = { failing: false, reads: 0, before: async () => {} }
  const announced = new Set<() => void>()
  const management: Pick<Management, 'policy' | 'policyHeads' | 'onPolicy'> = {
    onPolicy(changed) {
      const listener = () => changed('any', 1)
      announced.add(listener)
      return () => void announced.delete(listener)
    },
    async policyHeads() {
      store.reads++
      if (store.failing) throw new Error('no store')
      const heads = [...policies].map(([zone_id, policy]) => ({ zone_id, ...policy }))
      await store.before()
      return heads
    },
    policy: async (id) => policies.get(id),
  }
  const gate = createGate(NO_ZONE, { crypto: nodeCrypto() })
  const follower: ZoneFollower = followZones(management, {
    put: (policy) => gate.replaceGradually(policy, givingWay()),
    onEvent: (event) => events.push(event),
    pollMs: 60_000,
  })
  onTestFinished(follower.stop)
  return {
    gate,
    store,
    events,
    follower,
    put(id: string, version: number, zone: Partial<Zone> = {}, created_at = version) {
      const document = { id, name: `${id}.example`, upstream, ...zone }
      policies.set(id, { version, hash: `${id}${version}`, created_at, zone: document })
    },
    drop: (id: string) => policies.delete(id),
    announce: () => announced.forEach((listener) => listener()),
    announced,
    async follow() {
      await follower.changed()
      return gate.zones.map(({ id, rules }) => `${id}${rules?.length ? ' with rules' : ''}`)
    },
    kinds: () =>
      events
        .splice(0)
        .map((event) => ('zone' in event ? `${event.kind} ${event.zone}` : event.kind)),
  }
}

describe('following zones', () => {
  test('zones with an upstream are in force, and no longer without one or when deleted', async () => {
    const { put, drop, follow, kinds } = stage()
    put('a', 1)
    put('b', 1)
    expect(await follow()).toEqual(['a', 'b'])
    expect(kinds()).toEqual(['in_force a', 'in_force b'])
    put('b', 2)
    drop('a')
    expect(await follow()).toEqual(['b'])
    expect(kinds()).toEqual(['in_force b', 'gone a'])
    put('b', 3, { upstream: undefined as never })
    expect(await follow()).toEqual([NO_ZONE.id])
    expect(kinds()).toEqual(['gone b'])
  })

  test('nothing is compiled again when nothing changed', async () => {
    const { gate, put, follow } = stage()
    put('a', 1)
    await follow()
    const { epoch } = gate
    await follow()
    expect(gate.epoch).toBe(epoch)
  })

  test('a zone that was deleted and made anew is another, although its version is the same', async () => {
    const { gate, follow, put } = stage()
    put('a', 1)
    await follow()
    put('a', 1, { name: 'other.example' }, 2)
    await follow()
    expect(gate.zones.map(({ name }) => name)).toEqual(['other.example'])
  })

  test('a policy that does not compile is refused once, holds up no other zone, and the old one stays', async () => {
    const { put, follow, kinds, follower } = stage()
    put('a', 1)
    put('b', 1)
    await follow()
    kinds()
    put('a', 2, { rules: bad })
    put('b', 2, { rules: [{ action: 'log', expression: 'ssl' }] })
    expect(await follow()).toEqual(['a', 'b with rules'])
    expect(kinds()).toEqual(['refused a', 'in_force b'])
    expect(follower.running.map(({ version }) => version)).toEqual([1, 2])
    await follow()
    expect(kinds()).toEqual([])
    put('a', 3, { rules: [{ action: 'log', expression: 'ssl' }] })
    expect(await follow()).toEqual(['a with rules', 'b with rules'])
  })

  test('of a zone that was refused from the first is told too when it is gone', async () => {
    const { put, drop, follow, kinds } = stage()
    put('a', 1, { rules: bad })
    put('b', 1, { rules: bad })
    put('c', 1, { upstream: undefined as never })
    await follow()
    expect(kinds()).toEqual(['refused a', 'refused b'])
    drop('a')
    put('b', 2, { upstream: undefined as never })
    drop('c')
    await follow()
    expect(kinds()).toEqual(['gone b', 'gone a'])
  })

  test('while the store does not answer the policy stays, which is told once', async () => {
    const { put, follow, kinds, follower, store } = stage()
    put('a', 1)
    await follow()
    kinds()
    store.failing = true
    put('b', 1)
    expect(await follow()).toEqual(['a'])
    expect(await follow()).toEqual(['a'])
    expect(follower.inStep).toBe(false)
    store.failing = false
    expect(await follow()).toEqual(['a', 'b'])
    expect(follower.inStep).toBe(true)
    expect(kinds()).toEqual(['lost', 'in_force b', 'found'])
  })

  test('a change during a look is seen when its own call resolves, and many calls are one look', async () => {
    const { gate, put, follower, store } = stage()
    let go = () => {}
    store.before = () => new Promise<void>((resolve) => (go = resolve))
    const first = follower.changed()
    put('a', 1)
    store.before = async () => {}
    const calls = Array.from({ length: 50 }, () => follower.changed())
    go()
    await first
    await Promise.all(calls)
    expect(gate.zones.map(({ id }) => id)).toEqual(['a'])
    expect(store.reads).toBe(2)
  })

  test('what is announced is in force when it has settled, and nothing is read without cause', async () => {
    const { gate, put, follower, store, announce, announced } = stage()
    await follower.settled()
    expect(store.reads).toBe(0)
    put('a', 1)
    announce()
    await follower.settled()
    expect(gate.zones.map(({ id }) => id)).toEqual(['a'])
    await follower.stop()
    expect(announced.size).toBe(0)
  })

  test('one zone that changes leaves the others as they were compiled', async () => {
    const { gate, put, follow } = stage()
    put('a', 1)
    put('b', 1)
    await follow()
    const [a] = gate.zones
    put('b', 2)
    await follow()
    expect(gate.zones[0]).toBe(a)
    expect(Object.isFrozen(a)).toBe(true)
  })

  test('it looks by itself, until it is stopped', async () => {
    const heads = { zone_id: 'a', version: 1, hash: 'x', created_at: 1 }
    let reads = 0
    const follower = followZones(
      {
        policyHeads: async () => (reads++, [heads]),
        policy: async () => undefined,
        onPolicy: () => () => {},
      },
      { put: async () => {}, onEvent: () => {}, pollMs: 1 },
    )
    await expect.poll(() => reads).toBeGreaterThan(2)
    await follower.stop()
    const stopped = reads
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(reads).toBe(stopped)
  })
})
