import fc from 'fast-check'
import { describe as suite, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import {
  catalogue,
  render,
  toResponse,
  type Problem,
  type ProblemContext,
} from '../../../src/edge/problem/index.js'

const FRONT_MATTER = [
  'error_code',
  'error_name',
  'error_category',
  'status',
  'ray_id',
  'timestamp',
  'zone',
  'cloudflare_error',
  'retryable',
  'retry_after',
  'owner_action_required',
] as const satisfies readonly (keyof Problem)[]

fc.configureGlobal({ seed: 20_260_424 })

// What breaks out of one format or another, and what looks harmless and is not.
const nasty = fc.oneof(
  fc.constantFrom(
    '---',
    '\n---\n',
    'a: b',
    'a #b',
    '"',
    "'",
    '\\',
    '</style><script>alert(1)</script>',
    '" onload="x',
    '&amp;',
    '**x**',
    '[x](javascript:y)',
    '\r\nset-cookie: x=y',
    '\u0000',
    '\ud800',
    '\u2028',
    '\u001b[2J',
    'true',
    'null',
    '0x10',
    '1e5',
    '2026-04-24',
    '__proto__',
    'constructor',
    '${x}',
    '$&',
    '$1',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.stringMatching(/^[a-z0-9.:_[\]-]{1,30}$/),
)
const hostile = fc.tuple(nasty, nasty, nasty).map((parts) => parts.join(''))
const text = fc.oneof(nasty, hostile)
const ray = fc.oneof(
  text,
  fc.stringMatching(/^[0-9a-f]{16}$/),
  fc.stringMatching(/^[0-9]{1,14}e[0-9]{1,14}$/).map((id) => id.slice(0, 16).padEnd(16, '7')),
  fc.stringMatching(/^[0-9]{16}-[A-Z]{3}$/),
)
const code = fc.constantFrom(...catalogue.keys())
const context: fc.Arbitrary<ProblemContext> = fc.record(
  {
    zone: text,
    rayId: ray,
    retryAfter: fc.oneof(text, fc.double(), fc.integer().map(String)),
    status: fc.oneof(fc.integer({ min: 300, max: 700 }), fc.double()),
    footer: text,
    vendor: text,
    typeBase: text,
    headers: fc.array(fc.tuple(text, text), { maxLength: 3 }),
    now: fc.integer({ min: 0, max: 4e12 }),
  },
  { requiredKeys: ['now'] },
)

/** Front matter and prose of a Markdown body. */
function split(body: string): { front: string; prose: string } {
  const end = body.indexOf('\n---\n', 4)
  return { front: body.slice(4, end + 1), prose: body.slice(end + 5) }
}

/** Every tag of a page with its attributes, the values that vary taken out. */
function skeleton(body: string): string[] {
  return [...body.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/href="[^"<>]*"/, 'href'))
}

suite('hostile values', () => {
  test('the front matter reads back as the members of the JSON, type by type', () => {
    fc.assert(
      fc.property(code, context, (error, given) => {
        const fixed = { ...given, rayId: render(error, null, given).problem.ray_id }
        const problem: Problem = JSON.parse(render(error, 'application/json', fixed).body)
        const { front } = split(render(error, 'text/markdown', fixed).body)
        const names = FRONT_MATTER.filter((name) => problem[name] !== undefined)
        for (const version of ['1.1', '1.2'] as const) {
          const document = parseDocument(front, {
            version,
            schema: version === '1.2' ? 'core' : 'yaml-1.1',
          })
          expect(document.errors).toEqual([])
          const read = document.toJS()
          expect(Object.keys(read)).toEqual(names)
          // YAML 1.1 has a type for time; the documented form of the timestamp is plain.
          if (version === '1.1') read.timestamp = problem.timestamp
          for (const name of names) expect(read[name]).toBe(problem[name])
        }
        expect(parse(front, { schema: 'core' }).timestamp).toBe(problem.timestamp)
      }),
      { numRuns: 1000 },
    )
  })

  test('Markdown prose gains no heading, rule, list or markup', () => {
    fc.assert(
      fc.property(code, context, (error, given) => {
        const lines = split(render(error, 'text/markdown', given).body).prose.split('\n')
        expect(lines).toHaveLength(15)
        const blocks = lines.filter((line) => /^(#|---|===|[-+>]|\* |\d+[.)] )/.test(line))
        expect(blocks.slice(1)).toEqual(['## What Happened', '## What You Should Do', '---'])
        // Nothing of the footer is markup once its escaped characters are taken out.
        expect((lines[13] ?? '').replace(/\\./g, '')).not.toMatch(/[\\`*_[\]<#|]/)
      }),
      { numRuns: 1000 },
    )
  })

  test('the page keeps its elements and attributes', () => {
    const plain = new Map(
      [...catalogue.keys()].map((error) => [error, skeleton(render(error, null, { now: 0 }).body)]),
    )
    fc.assert(
      fc.property(code, context, (error, given) => {
        const { body } = render(error, 'text/html', given)
        expect(skeleton(body)).toEqual(plain.get(error))
        expect(body).not.toMatch(/href="(?!https?:\/\/|\/|data:,")/)
      }),
      { numRuns: 1000 },
    )
  })

  test('no format holds a control character or half a character', () => {
    fc.assert(
      fc.property(code, context, text, (error, given, accept) => {
        for (const form of ['text/html', 'application/json', 'text/markdown', accept]) {
          const { body } = render(error, form, given)
          expect(body.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u)
          expect(body).toMatch(/[^\n]\n$/)
        }
      }),
    )
  })

  test('no header gains a line, and the line says what the body says', () => {
    fc.assert(
      fc.property(code, context, text, (error, given, accept) => {
        const { headers, problem, status, body } = render(error, accept, given)
        for (const [name, value] of headers) {
          expect(name).toMatch(/^[!#$%&'*+.^_`|~0-9a-z-]+$/)
          expect(value).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/)
        }
        const own = new Map(headers)
        expect(own.get('cf-ray')).toMatch(/^[0-9a-f]{16}(-[A-Z]{3})?$/)
        expect(own.get('cf-ray')?.slice(0, 16)).toBe(problem.ray_id)
        expect(own.get('retry-after')).toBe(problem.retry_after?.toString())
        expect(own.get('content-length')).toBe(String(Buffer.byteLength(body)))
        expect(status).toBe(problem.status)
        expect(toResponse(render(error, accept, given), 'GET').status).toBe(status)
        for (const name of ['content-type', 'content-length', 'cf-ray', 'vary', 'retry-after'])
          expect(headers.filter(([other]) => other === name).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 500 },
    )
  })
})
