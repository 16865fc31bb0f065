import { describe, expect, test } from 'vitest'
import { compileEdgeErrors, type EdgeErrorsDocument } from '../../../src/edge/edge-errors/index.js'
import { catalogue, render } from '../../../src/edge/problem/index.js'
import { request } from './request.js'

const NOW = Date.UTC(2026, 3, 24, 9, 22, 40)

const ACCEPTS: readonly (readonly [accept: string | undefined, type: string])[] = [
  [undefined, 'text/html'],
  ['text/html', 'text/html'],
  ['application/json', 'application/json'],
  ['application/problem+json', 'application/problem+json'],
  ['text/markdown, application/json', 'text/markdown'],
]

const rule = {
  id: 'mine',
  expression: 'http.response.code ge 400',
  action_parameters: { content: '# sorry', content_type: 'text/markdown' },
} as const
const pages = { '1xxx': '<b>::ERROR_CODE::</b>', '5xx': '<b>::ERROR_CODE::</b>' }

const PRIORITIES: readonly (readonly [by: string, document: EdgeErrorsDocument])[] = [
  ['rule', { rules: [rule], pages }],
  ['page', { rules: [{ ...rule, expression: 'false' }], pages }],
  ['default', {}],
]

const ROWS = [...catalogue.keys()].flatMap((code) =>
  PRIORITIES.flatMap(([by, document]) =>
    ACCEPTS.map(([accept, type]) => ({ code, by, document, accept, type })),
  ),
)

const CONTEXT = { zone: 'shop.example', rayId: '9f140b785e57c458', now: NOW }

describe('every code, every Accept, every priority (spec 7.2)', () => {
  test(`are ${ROWS.length} answers`, () => {
    expect(ROWS).toHaveLength(catalogue.size * 15)
    expect(catalogue.size).toBeGreaterThan(65)
  })

  // What the default form of each code is, the tests of the room of problems say.
  test.each(ROWS)('$code by $by, Accept: $accept', ({ code, by, document, accept, type }) => {
    const asked = request(accept === undefined ? [] : [['Accept', accept]])
    const given = compileEdgeErrors(document).answer({ code, request: asked }, CONTEXT)
    const usual = render(code, accept, CONTEXT)
    expect(given).toMatchObject({ by, status: usual.status, problem: usual.problem })
    if (by === 'default') expect(given).toMatchObject(usual)
    else expect(given.body).toBe(by === 'rule' ? '# sorry' : `<b>${code}</b>`)
    const headers = new Map(given.headers)
    const expected = by === 'rule' ? 'text/markdown' : by === 'page' ? 'text/html' : type
    expect(headers.get('content-type')).toBe(`${expected}; charset=utf-8`)
    expect(headers.get('vary')).toBe(by === 'default' ? 'Accept' : undefined)
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(given.body)))
    const usually = new Map(usual.headers)
    for (const name of ['retry-after', 'cache-control', 'cf-ray', 'x-content-type-options'])
      expect([name, headers.get(name)]).toEqual([name, usually.get(name)])
  })
})

test('respond(1015) and a wait that a rate limiter set: header and member agree in all priorities', () => {
  for (const [by, document] of PRIORITIES) {
    const errors = compileEdgeErrors(document)
    const met = { code: 1015, request: request([['accept', 'application/json']]) }
    const given = errors.answer(met, { now: NOW, retryAfter: '77' })
    expect(new Map(given.headers).get('retry-after')).toBe('77')
    if (by === 'default') expect(JSON.parse(given.body)).toMatchObject({ retry_after: 77 })
  }
})
