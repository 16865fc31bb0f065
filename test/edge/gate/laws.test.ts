import { headerEdits } from '../../../src/edge/embed/index.js'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  createGate,
  type Decision,
  type GateRequest,
  type TokenValidationRule,
  type Zone,
} from '../../../src/edge/index.js'
import { covers } from '../../../src/edge/selector/index.js'
import { makeKey } from '../token/keys.js'
import { decisions, OPERATION_IDS, requests, zones } from './arbitraries.js'
import {
  ask,
  bearer,
  configuration,
  ES,
  gateOf,
  HS,
  NOW,
  NOW_SECONDS,
  RS,
  STRANGER,
  tokenOf,
  zone,
} from './zone-fixture.js'

const RUNS = { numRuns: 300 }
const decide = (policy: Zone, request: GateRequest): Decision => gateOf(policy).decide(request)
const changed = (
  policy: Zone,
  at: number,
  change: (rule: TokenValidationRule) => TokenValidationRule,
): Zone => ({
  ...policy,
  rules: (policy.rules ?? []).map((rule, index) => (index === at ? change(rule) : rule)),
})

/** A policy, a request and one of the rules. */
const withRule = decisions.chain(({ policy, request }) =>
  fc.record({
    policy: fc.constant(policy),
    request: fc.constant(request),
    at: fc.nat((policy.rules?.length ?? 1) - 1),
  }),
)

describe('laws of rules', () => {
  test('exactly one rule decides for an operation: the first enabled one that covers it', () => {
    fc.assert(
      fc.property(decisions, ({ policy, request }) => {
        const { operation: id, rule, reason } = decide(policy, request)
        if (id === null) return
        const operation = policy.operations?.find(({ operation_id }) => operation_id === id)
        const first = policy.rules?.find(
          ({ enabled, selector }) => enabled && covers(selector ?? {})(operation!),
        )
        expect(rule).toBe(first?.id ?? null)
        expect(reason === 'not_covered').toBe(first === undefined)
      }),
      RUNS,
    )
  })

  test('a request without a rule passes, one with a rule has its action or passes', () => {
    fc.assert(
      fc.property(decisions, ({ policy, request }) => {
        const decision = decide(policy, request)
        const rule = policy.rules?.find(({ id }) => id === decision.rule)
        const refused = ['unknown_host', 'bad_request'].includes(decision.reason)
        if (rule === undefined) expect(decision.action).toBe(refused ? 'block' : 'pass')
        else expect(decision.action).toBe(decision.reason === 'satisfied' ? 'pass' : rule.action)
        expect(decision.status === null).toBe(decision.action !== 'block')
      }),
      RUNS,
    )
  })

  test('adding an exclude to a rule never adds a block by it', () => {
    fc.assert(
      fc.property(withRule, fc.constantFrom(...OPERATION_IDS), ({ policy, request, at }, id) => {
        const before = decide(policy, request)
        const after = decide(
          changed(policy, at, (rule) => ({
            ...rule,
            selector: {
              ...rule.selector,
              exclude: [...(rule.selector?.exclude ?? []), { operation_ids: [id] }],
            },
          })),
          request,
        )
        const rule = policy.rules?.[at]?.id
        if (after.action === 'block' && after.rule === rule) {
          expect(before).toMatchObject({ action: 'block', rule })
        }
        if (before.rule !== rule) expect(after.toJSON()).toEqual(before.toJSON())
      }),
      RUNS,
    )
  })

  test('adding an exclude to the only rule never adds a block', () => {
    fc.assert(
      fc.property(withRule, fc.constantFrom(...OPERATION_IDS), ({ policy, request, at }, id) => {
        const alone = { ...policy, rules: (policy.rules ?? []).slice(at, at + 1) }
        const after = changed(alone, 0, (rule) => ({
          ...rule,
          selector: {
            ...rule.selector,
            exclude: [...(rule.selector?.exclude ?? []), { operation_ids: [id] }],
          },
        }))
        if (decide(after, request).action === 'block') {
          expect(decide(alone, request).action).toBe('block')
        }
      }),
      RUNS,
    )
  })

  test('turning log into block changes the action of that rule and nothing else', () => {
    fc.assert(
      fc.property(withRule, ({ policy, request, at }) => {
        const log = decide(
          changed(policy, at, (rule) => ({ ...rule, action: 'log' })),
          request,
        )
        const block = decide(
          changed(policy, at, (rule) => ({ ...rule, action: 'block' })),
          request,
        )
        if (log.action === 'log' && log.rule === policy.rules?.[at]?.id) {
          const { action, status, error_code, ...rest } = block.toJSON()
          expect({ action, blocked: status !== null && error_code === 1020 }).toEqual({
            action: 'block',
            blocked: true,
          })
          expect(log.toJSON()).toMatchObject(rest)
        } else {
          expect(block.toJSON()).toEqual(log.toJSON())
        }
      }),
      RUNS,
    )
  })

  test('disabling a rule changes only what it decided', () => {
    fc.assert(
      fc.property(withRule, ({ policy, request, at }) => {
        const before = decide(policy, request)
        const after = decide(
          changed(policy, at, (rule) => ({ ...rule, enabled: false })),
          request,
        )
        if (before.rule !== policy.rules?.[at]?.id) expect(after.toJSON()).toEqual(before.toJSON())
        else expect(after.rule).not.toBe(before.rule)
      }),
      RUNS,
    )
  })
})

describe('laws of tokens', () => {
  test('valid implies present, and absent is never told as invalid', () => {
    fc.assert(
      fc.property(decisions, ({ policy, request }) => {
        for (const each of decide(policy, request).configurations) {
          expect(each.present).toBe(each.reason !== 'absent')
          expect(each.present).toBe(each.source_index !== null)
          expect(each.valid).toBe(each.reason === 'valid')
          if (each.valid) expect(each.present).toBe(true)
        }
      }),
      RUNS,
    )
  })

  test('a missing token and an invalid one differ in reason and challenge', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (garbage) => {
        const missing = decide(zone(), ask())
        const invalid = decide(zone(), ask({ lines: [['Authorization', `x${garbage}`]] }))
        expect(missing.configurations[0]).toMatchObject({ present: false, reason: 'absent' })
        expect(invalid.configurations[0]?.present).toBe(true)
        expect(invalid.configurations[0]?.reason).not.toBe('absent')
        expect(missing.challenge).not.toContain('error')
        expect(invalid.challenge).toContain('error="invalid_token"')
      }),
    )
  })

  test('removing every header makes each token absent', () => {
    fc.assert(
      fc.property(decisions, ({ policy, request }) => {
        const { method, host, target } = request
        for (const each of decide(policy, ask({ method, host, target })).configurations)
          expect(each).toMatchObject({ present: false, valid: false, reason: 'absent' })
      }),
      RUNS,
    )
  })

  test('the order of keys changes no verdict', () => {
    const keys = [ES, HS, RS, makeKey('HS512', 'es'), makeKey('ES384', 'hs')]
    const tokens = [...keys, STRANGER, makeKey('HS256', 'nobody')].map((key) => tokenOf(key))
    fc.assert(
      fc.property(
        fc.shuffledSubarray(keys, { minLength: keys.length }),
        fc.constantFrom(...tokens),
        (shuffled, token) => {
          const request = ask({ lines: [bearer(token)] })
          const of = (all: typeof keys) =>
            decide(zone({ token_configurations: [configuration('A', all)] }), request).toJSON()
          expect(of(shuffled)).toEqual(of(keys))
        },
      ),
    )
  })

  test('the cache changes no decision', () => {
    fc.assert(
      fc.property(zones, fc.array(requests, { maxLength: 12 }), (policy, all) => {
        const cached = gateOf(policy)
        const uncached = gateOf(policy, { cache: false })
        for (const request of [...all, ...all])
          expect(cached.decide(request).toJSON()).toEqual(uncached.decide(request).toJSON())
      }),
      { numRuns: 100 },
    )
  })

  test('shifting the clock and the times of a token together keeps the verdict', () => {
    const offset = fc.integer({ min: -200, max: 200 })
    fc.assert(
      fc.property(offset, offset, fc.integer({ min: -1e6, max: 1e6 }), (exp, nbf, shift) => {
        const reason = (by: number) => {
          const at = NOW_SECONDS + by
          const token = tokenOf(HS, { exp: at + exp, nbf: at + nbf })
          const policy = zone({ token_configurations: [configuration('A', [HS])] })
          const gate = gateOf(policy, { now: () => at * 1000 })
          return gate.decide(ask({ lines: [bearer(token)] })).configurations[0]?.reason
        }
        expect(reason(shift)).toBe(reason(0))
      }),
    )
  })
})

describe('laws of requests', () => {
  test('letter case of header names does not matter', () => {
    fc.assert(
      fc.property(decisions, fc.func(fc.boolean()), ({ policy, request }, isUpper) => {
        const lines = [...request.headers()].map(
          ([name, value]) =>
            [
              [...name].map((c) => (isUpper(c) ? c.toUpperCase() : c.toLowerCase())).join(''),
              value,
            ] as const,
        )
        const { method, host, target } = request
        expect(decide(policy, ask({ method, host, target, lines })).toJSON()).toEqual(
          decide(policy, request).toJSON(),
        )
      }),
      RUNS,
    )
  })

  test('unrelated headers, wherever they stand, do not matter', () => {
    const unrelated = fc.array(
      fc.tuple(fc.constantFrom('X-1', 'X-2', 'Accept', '__proto__', 'constructor'), fc.string()),
    )
    fc.assert(
      fc.property(decisions, unrelated, fc.nat(4), ({ policy, request }, added, at) => {
        const lines = [...request.headers()]
        lines.splice(at, 0, ...added)
        const { method, host, target } = request
        expect(decide(policy, ask({ method, host, target, lines })).toJSON()).toEqual(
          decide(policy, request).toJSON(),
        )
      }),
      RUNS,
    )
  })

  test('any request at all gets a decision, and the same one from a synchronous backend and WebCrypto', async () => {
    const bytes = fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)) })
    const wild = fc
      .record({
        method: fc.oneof(bytes, fc.constantFrom('GET', '__proto__')),
        host: fc.oneof(bytes, fc.constantFrom('api.example.com', 'constructor', '__proto__')),
        target: fc.oneof(
          bytes,
          bytes.map((text) => `/users/${text}`),
        ),
        lines: fc.array(fc.tuple(fc.constantFrom('Authorization', 'Cookie', 'X-B'), bytes)),
      })
      .map(ask)
    await fc.assert(
      fc.asyncProperty(zones, fc.oneof(requests, wild), async (policy, request) => {
        const web = createGate(policy, { now: () => NOW })
        const there = await web.decide(request)
        const here = decide(policy, request)
        expect(there.toJSON()).toEqual(here.toJSON())
        expect([there.target, there.challenge, headerEdits(there)]).toEqual([
          here.target,
          here.challenge,
          headerEdits(here),
        ])
      }),
      { numRuns: 200 },
    )
  })
})
