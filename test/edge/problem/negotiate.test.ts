import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe as suite, expect, test } from 'vitest'
import { negotiate, type MediaType } from '../../../src/edge/problem/index.js'

const HTML = 'text/html'
const JSON_TYPE = 'application/json'
const PROBLEM = 'application/problem+json'
const MARKDOWN = 'text/markdown'

type Row = readonly [accept: string | null | undefined, expected: MediaType]

const SPEC: readonly Row[] = [
  ['application/json', JSON_TYPE],
  ['application/problem+json', PROBLEM],
  ['application/json, text/markdown;q=0.9', JSON_TYPE],
  ['text/markdown', MARKDOWN],
  ['text/markdown, application/json', MARKDOWN],
  ['text/*', MARKDOWN],
  ['text/html', HTML],
  ['*/*', HTML],
  [null, HTML],
]

const DECIDED: readonly Row[] = [
  ['*/*, application/json', HTML],
  ['text/*, text/html', MARKDOWN],
  ['application/*', JSON_TYPE],
  ['application/json, */*', JSON_TYPE],
  ['text/markdown, */*', MARKDOWN],
  ['text/markdown, text/html;q=0.9', MARKDOWN],
  ['text/html, application/json', HTML],
  ['application/problem+json, application/json', PROBLEM],
  ['text/html;q=0, */*', JSON_TYPE],
  ['*/*;q=0', HTML],
  ['image/png', HTML],
  [
    'text/html;q=0, application/json;q=0, application/problem+json;q=0, text/markdown;q=0.000',
    HTML,
  ],
  ['text/html;q=abc, application/json;q=0.5', JSON_TYPE],
  ['text/html;q=2, application/json', JSON_TYPE],
  ['text/markdown;q=0.2, text/*;q=0.8, application/json;q=0.5', HTML],
  ['text/*;q=0.9, text/html;q=0.1, */*;q=0.5', MARKDOWN],
  ['text/html;level=1;q=0.3, text/html;q=0.7, application/json;q=0.5', HTML],
  ['text/markdown;x=";q=0", application/json;q=0.5', MARKDOWN],
  ['text/markdown;charset=utf-8', MARKDOWN],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', HTML],
  ['application/json, text/plain, */*', JSON_TYPE],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', HTML],
]

const FINE_PRINT: readonly Row[] = [
  [undefined, HTML],
  ['', HTML],
  [' \t ', HTML],
  [',,, ,', HTML],
  ['__proto__', HTML],
  ['constructor', HTML],
  ['toString/valueOf', HTML],
  ['*/json', HTML],
  ['*/html;q=1, application/json;q=0.1', JSON_TYPE],
  ['TEXT/MarkDown', MARKDOWN],
  ['text/html;Q=0.1, application/json;Q=0.2', JSON_TYPE],
  ['text/mar\u212Adown, application/json;q=0.1', JSON_TYPE],
  // A quality is 0 to 1 with at most three decimals, not quoted, not apart from its sign.
  ['text/html;q=1.000, application/json', HTML],
  ['text/html;q=0., application/json;q=0.001', JSON_TYPE],
  ['text/html;q=1.001, application/json;q=0.1', JSON_TYPE],
  ['text/html;q=0.1234, application/json;q=0.1', JSON_TYPE],
  ['text/html;q=.9, application/json;q=0.1', JSON_TYPE],
  ['text/html;q=-1, application/json;q=0.1', JSON_TYPE],
  ['text/html;q=, application/json;q=0.1', JSON_TYPE],
  ['text/html;q, application/json;q=0.1', JSON_TYPE],
  ['text/html;q =1, application/json;q=0.1', JSON_TYPE],
  ['text/html;q= 1, application/json;q=0.1', JSON_TYPE],
  ['text/html;q="1", application/json;q=0.1', JSON_TYPE],
  ['text/html;q=0.5 x, application/json;q=0.1', JSON_TYPE],
  ['text/html;q=0x1, application/json;q=0.1', JSON_TYPE],
  ['text/html;q=1e0, application/json;q=0.1', JSON_TYPE],
  ['text/html;q=0.5;q=0, application/json;q=0.4', HTML],
  ['text/html;q=0.5;ext="a,b", application/json;q=0.6', JSON_TYPE],
  ['text/html x, application/json;q=0.1', JSON_TYPE],
  ['text/html=1, application/json;q=0.1', JSON_TYPE],
  ['text/html;;q=0.1, application/json;q=0.2', JSON_TYPE],
  ['text/html;CharSet="utf-8";q=0.9, text/html;q=0.1, application/json;q=0.5', HTML],
  ['text/html;charset=utf-8;x=1;q=0.9, text/html;q=0.1, application/json;q=0.5', JSON_TYPE],
  // Quoted strings hide commas; a backslash hides a quote; one that never ends hides the rest.
  ['text/plain;x="a, text/markdown, b", application/json', JSON_TYPE],
  ['text/plain;x="a\\", text/markdown, b", application/json', JSON_TYPE],
  ['text/plain;x="a, text/markdown, application/json', HTML],
  ['text/markdown;x="open, application/json', MARKDOWN],
  ['te"xt, application/json', HTML],
]

/** The vectors that the project shares, when they lie beside the repository. */
const VECTORS = new URL('../../../../shared/vectors/accept.json', import.meta.url)
interface Vector {
  readonly name: string
  readonly accept: string | null
  readonly expect: string | readonly string[]
}

suite('negotiation, table of spec 7.2', () => {
  test.each(SPEC)('Accept: %s is answered with %s', (accept, expected) => {
    expect(negotiate(accept)).toBe(expected)
  })
})

suite('negotiation, what the specification leaves open', () => {
  test.each(DECIDED)('Accept: %s is answered with %s', (accept, expected) => {
    expect(negotiate(accept)).toBe(expected)
  })
  test.each(FINE_PRINT)('Accept: %j is answered with %s', (accept, expected) => {
    expect(negotiate(accept)).toBe(expected)
  })
})

suite('limits of negotiation', () => {
  const elements = (count: number) => [...Array(count - 1).fill('image/png'), JSON_TYPE].join()

  test('64 elements count, 65 are as good as none', () => {
    expect(negotiate(elements(64))).toBe(JSON_TYPE)
    expect(negotiate(elements(65))).toBe(HTML)
  })

  test('4,096 bytes count, one more is as good as none', () => {
    expect(negotiate(JSON_TYPE.padEnd(4096))).toBe(JSON_TYPE)
    expect(negotiate(JSON_TYPE.padEnd(4097))).toBe(HTML)
  })

  test('empty elements are not counted', () => {
    expect(negotiate(`${','.repeat(200)}${JSON_TYPE}`)).toBe(JSON_TYPE)
  })

  test('more headers than are remembered change no answer', () => {
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 500; i++) expect(negotiate(`image/x${i}, ${MARKDOWN}`)).toBe(MARKDOWN)
      expect(negotiate(JSON_TYPE)).toBe(JSON_TYPE)
    }
  })
})

suite.skipIf(!existsSync(VECTORS))('negotiation, shared vectors (skipped when absent)', () => {
  const cases: Vector[] = existsSync(VECTORS) ? JSON.parse(readFileSync(VECTORS, 'utf8')).cases : []
  test.each(cases)('$name', ({ accept, expect: wanted }) => {
    expect([wanted].flat()).toContain(negotiate(accept))
  })
})

fc.configureGlobal({ seed: 20_260_424 })

// An independent negotiator, slow and literal: the five steps one after the other over split text.
const OFFERED: readonly MediaType[] = [HTML, JSON_TYPE, PROBLEM, MARKDOWN]
const WILD: Readonly<Record<string, readonly MediaType[]>> = {
  '*/*': [HTML, JSON_TYPE, MARKDOWN, PROBLEM],
  'text/*': [MARKDOWN, HTML],
  'application/*': [JSON_TYPE, PROBLEM],
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts = ['']
  let quoted = false
  let escaped = false
  for (const char of text) {
    if (char === separator && !quoted) parts.push('')
    else {
      parts[parts.length - 1] += char
      if (escaped) escaped = false
      else if (quoted && char === '\\') escaped = true
      else if (char === '"') quoted = !quoted
    }
  }
  return parts
}

function trim(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '')
}

function bruteForce(accept: string): MediaType {
  const elements = splitOutsideQuotes(accept, ',').map(trim).filter(Boolean)
  if (accept.length > 4096 || elements.length > 64) return HTML
  const found: { type: MediaType; rank: number; place: number; level: number; q: number }[] = []
  for (const [place, element] of elements.entries()) {
    const [range = '', ...parameters] = splitOutsideQuotes(element, ';').map(trim)
    const key = range.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    const wild = Object.hasOwn(WILD, key) ? (WILD[key] ?? []) : []
    const types = wild.length > 0 ? wild : OFFERED.filter((type) => type === key)
    const names = parameters.map((text) => /^[^\s=";,]*/.exec(text)?.[0].toLowerCase())
    const atQ = names.indexOf('q')
    const quality = atQ < 0 ? '1' : (parameters[atQ] ?? '').slice(2)
    if (!/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality)) continue
    if (atQ >= 0 && parameters[atQ]?.[1] !== '=') continue
    const own = parameters.slice(0, atQ < 0 ? undefined : atQ)
    const bare = own.every((text, i) => text === '' || names[i] === 'charset')
    const level = key === '*/*' ? 1 : wild.length > 0 ? 2 : bare ? 4 : 3
    for (const [rank, type] of types.entries())
      found.push({ type, rank, place, level, q: Number(quality) })
  }
  const deciding = OFFERED.flatMap((type) =>
    found
      .filter((entry) => entry.type === type)
      .toSorted((a, b) => b.level - a.level || a.place - b.place)
      .slice(0, 1),
  )
  const best = deciding
    .filter(({ q }) => q > 0)
    .toSorted((a, b) => b.q - a.q || a.place - b.place || a.rank - b.rank)
  return best[0]?.type ?? HTML
}

const range = fc.constantFrom(
  ...OFFERED,
  ...Object.keys(WILD),
  'Text/HTML',
  'image/png',
  '*',
  '*/json',
  'text/',
  '/html',
  'constructor',
  '',
)
const quality = fc.constantFrom(
  '0',
  '1',
  '0.5',
  '0.500',
  '1.0',
  '0.3',
  '.5',
  '2',
  '0.1234',
  '',
  '"1"',
  'a',
)
const parameter = fc.oneof(
  quality.map((q) => `q=${q}`),
  quality.map((q) => `Q=${q}`),
  fc.constantFrom(
    'level=1',
    'charset=utf-8',
    'x=";q=0,"',
    'x="\\",',
    '',
    'q',
    'q =1',
    'flag',
    'x=1 2',
  ),
)
const space = fc.constantFrom('', ' ', '\t', '  ')
const element = fc
  .tuple(range, fc.array(fc.tuple(space, space, parameter), { maxLength: 3 }), space)
  .map(
    ([type, parameters, end]) =>
      type + parameters.map(([a, b, p]) => `${a};${b}${p}`).join('') + end,
  )
const header = fc
  .array(fc.tuple(space, element), { maxLength: 8 })
  .map((parts) => parts.map(([a, b]) => a + b).join())
const noise = fc.string({
  unit: fc.constantFrom(...'texhml/*,;=q01.9 \t"\\ajsonpict+rkdwu\u0000é'),
  maxLength: 60,
})

// Exact and well formed, so that laws about elements can be stated.
const exact = fc.constantFrom(...OFFERED)
const weighed = fc
  .tuple(fc.constantFrom(...OFFERED, ...Object.keys(WILD)), fc.integer({ min: 0, max: 10 }))
  .map(([type, tenths]) => ({ type, q: tenths / 10 }))
const write = ({ type, q }: { type: string; q: number }) => `${type};q=${q}`

suite('laws of negotiation', () => {
  test('an independent negotiator agrees on any header', () => {
    fc.assert(
      fc.property(fc.oneof(header, noise), (accept) => {
        expect(negotiate(accept)).toBe(bruteForce(accept))
      }),
      { numRuns: 5000 },
    )
  })

  test('any text gives one of the four types', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (accept) => {
        expect(OFFERED).toContain(negotiate(accept))
      }),
    )
  })

  test('swapping two exact types of one quality at the head swaps the winner', () => {
    fc.assert(
      fc.property(exact, exact, fc.array(weighed, { maxLength: 4 }), (one, two, rest) => {
        fc.pre(one !== two)
        const tail = rest.map(({ type, q }) => `, ${write({ type, q: Math.min(q, 0.9) })}`).join('')
        expect(negotiate(`${one}, ${two}${tail}`)).toBe(one)
        expect(negotiate(`${two}, ${one}${tail}`)).toBe(two)
      }),
    )
  })

  test('refusing a type that was not chosen changes nothing', () => {
    fc.assert(
      fc.property(fc.array(weighed, { minLength: 1, maxLength: 6 }), exact, (elements, refused) => {
        const accept = elements.map(write).join()
        const chosen = negotiate(accept)
        fc.pre(chosen !== refused)
        expect(negotiate(`${accept}, ${refused};q=0`)).toBe(chosen)
        expect(negotiate(`${refused};q=0, ${accept}`)).toBe(chosen)
      }),
    )
  })

  test('case, white space, empty elements, q=1 and several lines make no difference', () => {
    fc.assert(
      fc.property(fc.array(weighed, { minLength: 1, maxLength: 6 }), (elements) => {
        const chosen = negotiate(elements.map(write).join(', '))
        const loose = elements.map(({ type, q }) => ` ${type.toUpperCase()}\t; ;Q=${q} `)
        expect(negotiate(loose.join(' ,,'))).toBe(chosen)
        const short = elements.map((entry) => (entry.q === 1 ? entry.type : write(entry)))
        expect(negotiate(short.join())).toBe(chosen)
        const headers = new Headers()
        for (const entry of elements) headers.append('accept', write(entry))
        expect(negotiate(headers.get('accept'))).toBe(chosen)
      }),
    )
  })

  test('a header met before is answered as it was', () => {
    fc.assert(
      fc.property(header, (accept) => {
        expect(negotiate(accept)).toBe(negotiate(accept))
      }),
    )
  })
})
