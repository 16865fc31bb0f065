import { describe, expect, test } from 'vitest'
import { compileEdgeErrors, type EdgeErrorsDocument } from '../../../src/edge/edge-errors/index.js'
import { catalogue } from '../../../src/edge/problem/index.js'
import { request } from './request.js'

const NOW = Date.UTC(2026, 3, 24, 9, 22, 40)

/** `Retry-After` as spec 7.2 has it; every other code has none. */
const WAIT: ReadonlyMap<number, number> = new Map([
  [500, 30],
  [502, 60],
  [504, 120],
  [520, 60],
  [521, 120],
  [522, 120],
  [523, 120],
  [524, 120],
  [1004, 120],
  [1015, 30],
  [1033, 120],
  [1038, 60],
  [1200, 60],
  [1205, 5],
])

const ACCEPTS: readonly (readonly [accept: string | undefined, type: string])[] = [
  [undefined, 'text/html'],
  ['text/html', 'text/html'],
  ['application/json', 'application/json'],
  ['application/problem+json', 'application/problem+json'],
  ['text/markdown, application/json', 'text/markdown'],
]

const MEMBERS = [
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'error_code',
  'error_name',
  'error_category',
  'ray_id',
  'timestamp',
  'zone',
  'cloudflare_error',
  'retryable',
  'retry_after',
  'owner_action_required',
  'what_you_should_do',
  'footer',
]
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

/** What a body must be, by what it comes from. */
function expectBody(by: string, type: string, body: string, code: number): void {
  if (by === 'rule') return expect(body).toBe('# sorry')
  if (by === 'page') return expect(body).toBe(`<b>${code}</b>`)
  const present = (name: string) => name !== 'retry_after' || WAIT.has(code)
  if (type.endsWith('json'))
    return expect(Object.keys(JSON.parse(body))).toEqual(MEMBERS.filter(present))
  if (type === 'text/html') return expect(body).toContain(`<span>Error ${code}</span>`)
  const [, front = ''] = body.split('---\n')
  const names = front.split('\n').flatMap((line) => line.split(':', 1)[0] || [])
  return expect(names).toEqual(FRONT_MATTER.filter(present))
}

describe('every code, every Accept, every priority (spec 7.2)', () => {
  test(`are ${ROWS.length} answers`, () => {
    expect(ROWS).toHaveLength(catalogue.size * 15)
    expect(catalogue.size).toBeGreaterThan(65)
  })

  test.each(ROWS)('$code by $by, Accept: $accept', ({ code, by, document, accept, type }) => {
    const asked = request(accept === undefined ? [] : [['Accept', accept]])
    const met = { code, request: asked }
    const given = compileEdgeErrors(document).answer(met, { zone: 'shop.example', now: NOW })
    const headers = new Map(given.headers)
    const { status = 0 } = catalogue.get(code) ?? {}
    expect(given).toMatchObject({ by, status })
    expect(status >= 400 && status <= 599).toBe(true)
    if (code < 1000) expect(status).toBe(code)
    const expected = by === 'rule' ? 'text/markdown' : by === 'page' ? 'text/html' : type
    expect(headers.get('content-type')).toBe(`${expected}; charset=utf-8`)
    expect(headers.get('retry-after')).toBe(WAIT.get(code)?.toString())
    expect(headers.get('vary')).toBe(by === 'default' ? 'Accept' : undefined)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(given.body)))
    expect(given.problem.retryable).toBe(WAIT.has(code))
    expectBody(by, type, given.body, code)
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
