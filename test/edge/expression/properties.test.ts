import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile, ExpressionError, trace } from '../../../src/edge/expression/index.js'
import type { Value } from '../../../src/edge/expression/index.js'
import { plainFacts } from '../../../src/edge/expression/plain-facts.js'
import { expressions, records } from './expressions.js'
import { print, shape } from './print.js'
import { scheme, token } from './world.js'

const { bool, simple, string, vector } = expressions
const fields = new Map(Object.entries(scheme.fields))
const ask = (source: string, values: Record<string, unknown>): boolean =>
  compile(source, scheme).evaluate(values, token)

/** An IPv4 address as a number. */
const number = (ip: string): number =>
  ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

test('a printed tree reads as the same tree', () => {
  fc.assert(
    fc.property(bool, (source) => {
      expect(shape(print(shape(source)))).toEqual(shape(source))
    }),
    { numRuns: 1000 },
  )
})

test('what is right over the scheme compiles, and answers whatever is missing', () => {
  fc.assert(
    fc.property(bool, records, (source, values) => {
      expect(typeof ask(source, values)).toBe('boolean')
    }),
    { numRuns: 3000 },
  )
})

test('no value of any type makes an evaluation throw', () => {
  const anything = fc.dictionary(
    fc.constantFrom(...fields.keys()),
    fc.anything({ withBigInt: true }),
  )
  fc.assert(
    fc.property(bool, anything, (source, values) => {
      expect(typeof ask(source, values)).toBe('boolean')
    }),
    { numRuns: 1000 },
  )
})

test('any text compiles or is an error inside its own length', () => {
  const word = fc.constantFrom(
    ...'( ) [ ] { } " r" # ! & && || ^^ , . .. $ * 0 7 -1 0x 1.2.3.4 ::1 61:62'.split(' '),
    ...'t s n ip a m any all not in eq matches wildcard strict and or xor lower len'.split(' '),
    ...'is_jwt_valid "x" [*] ["k"] [0] \n __proto__ constructor'.split(' '),
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(word, { maxLength: 16 }).map((words) => words.join(' ')),
    fc.tuple(bool, fc.nat(), word).map(([source, at, junk]) => {
      const index = at % (source.length + 1)
      return source.slice(0, index) + junk + source.slice(index)
    }),
  )
  fc.assert(
    fc.property(texts, (source) => {
      try {
        compile(source, scheme).evaluate({})
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error
        expect(error.start).toBeGreaterThanOrEqual(0)
        expect(error.end).toBeGreaterThanOrEqual(error.start)
        expect(error.end).toBeLessThanOrEqual(source.length)
        expect(error.frame.split('\n')).toHaveLength(3)
      }
    }),
    { numRuns: 5000 },
  )
})

test('a trace comes to the same answer, and its spans are those of its texts', () => {
  fc.assert(
    fc.property(bool, records, (source, values) => {
      const predicate = compile(source, scheme)
      const facts = plainFacts(values, fields, token)
      const steps = trace(predicate, facts)
      expect(steps[0]?.value === true).toBe(predicate.test(facts))
      expect(steps[0]?.value === true).toBe(predicate.evaluate(values, token))
      for (const { start, end, text } of steps) expect(source.slice(start, end)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

test('parentheses around a simple expression change nothing', () => {
  fc.assert(
    fc.property(simple, simple, records, (left, right, values) => {
      expect(ask(`(${left}) and not (${right})`, values)).toBe(
        ask(`${left} and not ${right}`, values),
      )
    }),
  )
})

test('not not changes nothing', () => {
  fc.assert(
    fc.property(bool, records, (source, values) => {
      expect(ask(`not not (${source})`, values)).toBe(ask(source, values))
    }),
  )
})

test('De Morgan holds over Bool', () => {
  fc.assert(
    fc.property(bool, bool, records, (left, right, values) => {
      expect(ask(`not ((${left}) and (${right}))`, values)).toBe(
        ask(`not (${left}) or not (${right})`, values),
      )
    }),
  )
})

test('xor is or without and', () => {
  fc.assert(
    fc.property(bool, bool, records, (left, right, values) => {
      expect(ask(`(${left}) xor (${right})`, values)).toBe(
        ask(`((${left}) or (${right})) and not ((${left}) and (${right}))`, values),
      )
    }),
  )
})

test('any is not all not, where there is an array', () => {
  fc.assert(
    fc.property(vector, records, (source, values) => {
      const whole = { ...values, lists: { k: [true], no: [false] }, bools: [true], flags: {} }
      expect(ask(`any((${source}))`, whole)).toBe(ask(`not all(not (${source}))`, whole))
    }),
  )
})

test('in is a chain of equalities', () => {
  fc.assert(
    fc.property(string, string, records, (left, right, values) => {
      expect(ask(`s in {${left} ${right}}`, values)).toBe(
        ask(`s == ${left} or s == ${right}`, values),
      )
    }),
  )
})

test('wildcard is strict wildcard over small letters', () => {
  const pattern = fc
    .array(fc.constantFrom('*', 'a', 'B', 'x', '\\*', '\\\\', '?'), { maxLength: 6 })
    .map((parts) => parts.join('').replaceAll(/\*+/g, '*'))
  fc.assert(
    fc.property(
      pattern,
      fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'x', '*', '\\') }),
      (w, s) => {
        expect(ask(`s wildcard r"${w}"`, { s })).toBe(
          ask(`s strict wildcard r"${w.toLowerCase()}"`, { s: s.toLowerCase() }),
        )
      },
    ),
    { numRuns: 1000 },
  )
})

test('a wildcard is the regular expression that says the same', () => {
  const pattern = fc.array(fc.constantFrom('*', 'a', 'b', 'ab'), { maxLength: 7 })
  fc.assert(
    fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b') }), (parts, s) => {
      const wildcard = parts.join('').replaceAll(/\*+/g, '*')
      const regex = `^${wildcard.replaceAll('*', '.*')}$`
      expect(ask(`s strict wildcard "${wildcard}"`, { s })).toBe(ask(`s matches "${regex}"`, { s }))
    }),
    { numRuns: 1000 },
  )
})

test('ordering is that of bytes, of numbers and of addresses', () => {
  const int = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)
  fc.assert(
    fc.property(int, int, fc.string(), fc.string(), fc.ipV4(), fc.ipV4(), (n, m, s, u, ip, jp) => {
      expect(ask(`n < ${m}`, { n })).toBe(n < m)
      expect(ask(`n == ${m}`, { n })).toBe(n === m)
      expect(ask(`n & ${m}`, { n })).toBe((n & m) !== 0n)
      const hex = [...Buffer.from(u)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
      expect(ask(`s < "${hex.join('')}"`, { s })).toBe(
        Buffer.compare(Buffer.from(s), Buffer.from(u)) < 0,
      )
      expect(ask(`ip <= ${jp}`, { ip })).toBe(number(ip) <= number(jp))
    }),
  )
})

test('facts that are asked for are those that are told', () => {
  fc.assert(
    fc.property(bool, records, (source, values) => {
      const predicate = compile(source, scheme)
      const asked = new Set<string>()
      const inner = plainFacts(values, fields)
      predicate.test({
        field(name): Value | undefined {
          asked.add(name)
          return inner.field(name)
        },
        token(id) {
          asked.add(id)
          return 'valid'
        },
      })
      const told = new Set([...predicate.uses.fields, ...predicate.uses.configurations])
      expect([...asked].filter((name) => !told.has(name))).toEqual([])
    }),
  )
})
