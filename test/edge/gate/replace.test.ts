import { explanation } from '../../../src/edge/gate/index.js'
import { describe, expect, test } from 'vitest'
import { createGate, createVerdictCache, PolicyError } from '../../../src/edge/index.js'
import type { CryptoBackend } from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import {
  ask,
  bearer,
  configuration,
  ES,
  gateOf,
  HS,
  NOW,
  RULE,
  STRANGER,
  VALID,
  zone,
} from './zone-fixture.js'

const REQUEST = ask({ lines: [bearer(VALID)] })
const OPEN = zone({ rules: [] })

describe('replacing a policy', () => {
  test('puts the new one in force at once, and counts', () => {
    const gate = gateOf(zone())
    expect(gate.epoch).toBe(1)
    expect(gate.decide(ask())).toMatchObject({ action: 'block', epoch: 1 })
    gate.replace(OPEN)
    expect(gate.epoch).toBe(2)
    expect(gate.decide(ask())).toMatchObject({ action: 'pass', reason: 'not_covered', epoch: 2 })
    expect(gate.zones).toEqual([OPEN])
  })

  test('counts policies in force, not attempts', () => {
    const gate = gateOf(zone())
    gate.replace(OPEN)
    expect(() => gate.replace({})).toThrow(PolicyError)
    gate.replace(zone())
    expect(gate.epoch).toBe(3)
    expect(gate.decide(ask()).epoch).toBe(3)
  })

  test('replaces zones and notices as a whole', () => {
    const gate = gateOf({ ...zone(), colour: 'red' })
    expect(gate.notices).toHaveLength(1)
    gate.replace(zone({ id: 'other', name: 'example.org', operations: [] }))
    expect(gate.notices).toEqual([])
    expect(gate.decide(ask()).reason).toBe('unknown_host')
  })

  test.each<[string, unknown]>([
    ['of the wrong shape', { id: 1 }],
    ['with a bad expression', zone({ rules: [{ ...RULE, expression: 'nope' }] })],
    [
      'with bad keys',
      zone({ token_configurations: [{ ...configuration('A'), credentials: { keys: [1] } }] }),
    ],
    [
      'whose last zone is bad',
      { zones: [OPEN, zone({ id: 'b', name: 'no host', operations: [] })] },
    ],
  ])('by one %s changes nothing', (_what, bad) => {
    const gate = gateOf(zone())
    const before = gate.decide(ask()).toJSON()
    expect(() => gate.replace(bad)).toThrow(PolicyError)
    expect(gate.epoch).toBe(1)
    expect(gate.notices).toEqual([])
    expect(gate.zones).toEqual([zone()])
    expect(gate.decide(ask()).toJSON()).toEqual(before)
  })

  test('lets requests under way finish on the old one', async () => {
    const release: (() => void)[] = []
    const sync = nodeCrypto()
    const slow: CryptoBackend<Promise<boolean>> = {
      ...sync,
      verify: (...call) =>
        new Promise((resolve) => release.push(() => resolve(sync.verify(...call)))),
    }
    const gate = createGate(zone(), { crypto: slow, now: () => NOW, explanation })
    const pending = gate.decide(REQUEST)
    const explained = gate.explain(REQUEST)
    gate.replace(zone({ rules: [{ ...RULE, id: 'new', expression: 'false' }] }))
    const next = gate.decide(REQUEST)
    for (const each of release) each()
    expect(await pending).toMatchObject({ action: 'pass', rule: 'rule', epoch: 1 })
    expect((await explained).decision).toMatchObject({ action: 'pass', rule: 'rule', epoch: 1 })
    expect(await next).toMatchObject({ action: 'block', rule: 'new', epoch: 2 })
  })
})

describe('cached verdicts', () => {
  const cached = (policy: unknown) => {
    const cache = createVerdictCache()
    const gate = gateOf(policy, { cache })
    gate.decide(REQUEST)
    return { gate, cache }
  }

  test.each<[string, unknown]>([
    ['rules', zone({ rules: [{ ...RULE, id: 'other' }] })],
    [
      'operations',
      zone({
        operations: [
          { operation_id: 'x', method: 'GET', host: 'example.com', endpoint: '/x' },
          ...(zone().operations ?? []),
        ],
      }),
    ],
    ['settings', zone({ settings: { block_status: 403 } })],
    [
      'sources',
      zone({
        token_configurations: [
          configuration(
            'A',
            [ES],
            ['http.request.headers["x"][0]', 'http.request.headers["authorization"][0]'],
          ),
        ],
      }),
    ],
    [
      'other configurations',
      zone({ token_configurations: [configuration('B', [HS]), configuration('A')] }),
    ],
    ['nothing', JSON.parse(JSON.stringify(zone()))],
  ])('are kept when the policy changes in %s', (_what, next) => {
    const { gate, cache } = cached(zone())
    gate.replace(next)
    expect(gate.decide(REQUEST).action).toBe('pass')
    expect(cache.stats()).toMatchObject({ hits: 1, misses: 1 })
  })

  test.each<[string, unknown, string]>([
    [
      'a key of the same name takes its place',
      zone({ token_configurations: [configuration('A', [STRANGER])] }),
      'bad_signature',
    ],
    [
      'their key is removed',
      zone({ token_configurations: [configuration('A', [HS])] }),
      'unknown_key',
    ],
    ['a key is added', zone({ token_configurations: [configuration('A', [ES, HS])] }), 'valid'],
    [
      'the configuration gets another id',
      zone({
        token_configurations: [configuration('B')],
        rules: [{ ...RULE, expression: 'is_jwt_valid("B")' }],
      }),
      'valid',
    ],
    ['the zone gets another id', zone({ id: 'other' }), 'valid'],
  ])('end at once when %s', (_what, next, reason) => {
    const { gate, cache } = cached(zone())
    gate.replace(next)
    expect(gate.decide(REQUEST).configurations).toMatchObject([{ reason }])
    expect(cache.stats().hits).toBe(0)
  })

  test('do not come back with an old key', () => {
    const { gate, cache } = cached(zone())
    gate.replace(zone({ token_configurations: [configuration('A', [STRANGER])] }))
    gate.replace(zone())
    expect(gate.decide(REQUEST).action).toBe('pass')
    expect(cache.stats().hits).toBe(0)
  })

  test('survive a policy that is refused', () => {
    const { gate, cache } = cached(zone())
    expect(() => gate.replace({})).toThrow(PolicyError)
    gate.decide(REQUEST)
    expect(cache.stats().hits).toBe(1)
  })

  test('are not shared between configurations with the same keys', () => {
    const policy = zone({
      token_configurations: [configuration('A'), configuration('B')],
      rules: [{ ...RULE, expression: 'is_jwt_valid("A") and is_jwt_valid("B")' }],
    })
    const { gate, cache } = cached(policy)
    expect(cache.stats()).toMatchObject({ hits: 0, misses: 2 })
    gate.decide(REQUEST)
    expect(cache.stats()).toMatchObject({ hits: 2, misses: 2 })
  })

  test('end with the token, whatever is cached', () => {
    let now = NOW
    const cache = createVerdictCache()
    const gate = gateOf(zone(), { cache, now: () => now, tolerance: 0 })
    const request = ask({ lines: [bearer(VALID)] })
    expect(gate.decide(request).action).toBe('pass')
    now = Number.NaN
    expect(gate.decide(request).action).toBe('block')
  })

  test('are none when the cache is switched off', () => {
    const gate = gateOf(zone(), { cache: false })
    expect(gate.decide(REQUEST).action).toBe('pass')
    expect(gate.decide(REQUEST).action).toBe('pass')
  })
})
