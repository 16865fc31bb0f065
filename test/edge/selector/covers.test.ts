import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  coverage,
  covers,
  createCovering,
  type Operation,
  type Selector,
} from '../../../src/edge/selector/index.js'

const operation = (host: string, operation_id = 'op-1'): Operation => ({
  operation_id,
  method: 'GET',
  host,
  endpoint: '/x',
})

describe('a selector', () => {
  test.each<[string, Selector, boolean]>([
    ['without lists covers every operation', {}, true],
    ['whose include is null covers every operation', { include: null, exclude: null }, true],
    ['whose include is empty covers none', { include: [] }, false],
    ['whose entries name no host covers none', { include: [{}] }, false],
    ['whose entries name a null host covers none', { include: [{ host: null }] }, false],
    ['whose entries hold an empty list covers none', { include: [{ host: [] }] }, false],
    ['names its host as text', { include: [{ host: 'a.example' }] }, true],
    ['names its hosts as a list', { include: [{ host: ['b.example', 'a.example'] }] }, true],
    [
      'may have several entries',
      { include: [{ host: 'b.example' }, { host: ['a.example'] }] },
      true,
    ],
    ['compares hosts in canonical form', { include: [{ host: 'A.Example.' }] }, true],
    ['does not cover another host', { include: [{ host: 'b.example' }] }, false],
    ['does not cover hosts below its host', { include: [{ host: 'example' }] }, false],
    ['does not take a variable for a concrete host', { include: [{ host: '{x}.example' }] }, false],
    ['leaves out what it excludes', { exclude: [{ operation_ids: ['op-1'] }] }, false],
    [
      'leaves out what it excludes even if it is included',
      { include: [{ host: 'a.example' }], exclude: [{ operation_ids: ['op-1'] }] },
      false,
    ],
    ['ignores the exclusion of others', { exclude: [{ operation_ids: ['op-2'] }] }, true],
    [
      'may exclude nothing',
      { exclude: [{}, { operation_ids: null }, { operation_ids: [] }] },
      true,
    ],
  ])('%s', (_what, selector, expected) => {
    expect(covers(selector)(operation('a.example'))).toBe(expected)
  })

  test('covers the operations of a variable host whatever its variables are called', () => {
    const selector: Selector = { include: [{ host: '{a}.example' }] }
    expect(covers(selector)(operation('{b}.example'))).toBe(true)
    expect(covers(selector)(operation('{a}.{b}.example'))).toBe(false)
  })

  test.each(['__proto__', 'constructor', 'hasOwnProperty'])(
    'sees nothing special in %s',
    (name) => {
      const other = operation(name.toLowerCase(), name)
      expect(covers({ include: [] })(other)).toBe(false)
      expect(covers({ exclude: [] })(other)).toBe(true)
      expect(covers({ exclude: [{ operation_ids: [name] }] })(other)).toBe(false)
      expect(covers({ include: [{ host: name }] })(other)).toBe(true)
      expect(covers({ include: [{ host: name }] })(operation('a.example'))).toBe(false)
    },
  )
})

const HOSTS = ['a.example', 'b.example', '{x}.example'] as const
const IDS = ['op-1', 'op-2', 'op-3'] as const

const host = fc.oneof(fc.constantFrom(...HOSTS), fc.uniqueArray(fc.constantFrom(...HOSTS)))
const selectors: fc.Arbitrary<Selector> = fc.record(
  {
    include: fc.option(fc.array(fc.record({ host }), { maxLength: 2 })),
    exclude: fc.option(
      fc.array(fc.record({ operation_ids: fc.uniqueArray(fc.constantFrom(...IDS)) }), {
        maxLength: 2,
      }),
    ),
  },
  { requiredKeys: [] },
)
const anyOperation = fc
  .tuple(fc.constantFrom(...HOSTS), fc.constantFrom(...IDS))
  .map(([where, id]) => operation(where, id))

describe('laws of selectors', () => {
  test('adding an exclude never adds a covered operation', () => {
    fc.assert(
      fc.property(selectors, fc.constantFrom(...IDS), anyOperation, (selector, id, each) => {
        const more = {
          ...selector,
          exclude: [...(selector.exclude ?? []), { operation_ids: [id] }],
        }
        expect(covers(more)(each) && !covers(selector)(each)).toBe(false)
      }),
    )
  })

  test('adding a host to an include never removes a covered operation', () => {
    fc.assert(
      fc.property(selectors, fc.constantFrom(...HOSTS), anyOperation, (selector, added, each) => {
        const more = {
          ...selector,
          include: selector.include ? [...selector.include, { host: added }] : null,
        }
        expect(covers(selector)(each) && !covers(more)(each)).toBe(false)
      }),
    )
  })
})

describe('the rule that decides', () => {
  test('for an operation is the first that covers it', () => {
    fc.assert(
      fc.property(fc.array(selectors, { maxLength: 6 }), anyOperation, (all, each) => {
        const rules = all.map((selector, at) => ({ at, selector, coverage: coverage(selector) }))
        const first = rules.find(({ selector }) => covers(selector)(each)) ?? null
        expect(createCovering(rules).ofOperation(each)).toBe(first)
      }),
      { numRuns: 1000 },
    )
  })

  test('for a host is the first that includes it, whatever it excludes', () => {
    const hosts = fc.uniqueArray(fc.constantFrom(...HOSTS), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(selectors, { maxLength: 6 }), hosts, (all, asked) => {
        const rules = all.map((selector, at) => ({ at, coverage: coverage(selector) }))
        const canonical = asked.map((name) => name.replace('{x}', '{}'))
        const first = rules.find(
          ({ coverage: { hosts: named } }) =>
            named === null || canonical.some((name) => named.has(name)),
        )
        expect(createCovering(rules).ofHosts(canonical)).toBe(first ?? null)
      }),
      { numRuns: 1000 },
    )
  })
})
