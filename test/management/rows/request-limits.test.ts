import { describe, expect, test } from 'vitest'
import { ZONE } from '../stage.js'
import { CONFIG, idOf, many, OPERATIONS, refusalOf, rule, RULES, SCHEMAS, x } from './bodies.js'
import { servedFor } from './served.js'

const { call } = servedFor()

test('PATCH of rules in bulk takes 1,000 changes and not one more', async () => {
  const id = idOf(await call('POST', RULES, rule()))
  const changes = (count: number) => many(count, () => ({ id, title: 'x' }))
  expect((await call('PATCH', `${RULES}/bulk`, changes(1000))).status).toBe(200)
  expect(refusalOf(await call('PATCH', `${RULES}/bulk`, changes(1001)))).toEqual([400, 10422, ''])
})

test.each([
  ['host', 500],
  ['method', 500],
  ['feature', 500],
])('a list of operations is narrowed by %s to %i values and no more', async (name, max) => {
  const query = (count: number) => many(count, () => `${name}=a`).join('&')
  expect((await call('GET', `${OPERATIONS}?${query(max)}`)).status).toBe(200)
  expect(refusalOf(await call('GET', `${OPERATIONS}?${query(max + 1)}`))).toEqual([
    400,
    10422,
    `/${name}`,
  ])
})

test('a list of operations is ordered by a name of 100 characters and no more', async () => {
  const ordered = (length: number) => call('GET', `${OPERATIONS}?order=${x(length)}`)
  expect((await ordered(100)).status).toBe(200)
  expect(refusalOf(await ordered(101))).toEqual([400, 10422, '/order'])
})

test.each([CONFIG, RULES, OPERATIONS, SCHEMAS])(
  '%s lists 1 to 1,000 a page, from page 1',
  async (path) => {
    for (const [query, status] of [
      ['per_page=1', 200],
      ['per_page=1000', 200],
      ['per_page=0', 400],
      ['per_page=1001', 400],
      ['page=1', 200],
      ['page=0', 400],
      ['page=2147483648', 200],
      ['page=2147483649', 400],
    ] as const) {
      const answer = await call('GET', `${path}?${query}`)
      const pointer = `/${query.split('=')[0]}`
      expect([query, ...refusalOf(answer)]).toEqual(
        status === 200 ? [query, 200, undefined, undefined] : [query, 400, 10422, pointer],
      )
    }
  },
)

describe('bodies', () => {
  const body = (length: number) => `{"title":"x"${' '.repeat(length - 13)}}`
  const nested = (levels: number) => '['.repeat(levels - 1) + ']'.repeat(levels - 1)
  const patch = (raw: string) => call('PATCH', `/zones/${ZONE}`, undefined, { raw })

  test('have 1,000,000 bytes and not one more', async () => {
    expect((await patch(body(1_000_000))).status).toBe(200)
    expect(refusalOf(await patch(body(1_000_001)))).toEqual([413, 10413, undefined])
  })

  test('have 32 levels of nesting and not one more', async () => {
    expect((await patch(`{"x":${nested(32)}}`)).status).toBe(200)
    expect(refusalOf(await patch(`{"x":${nested(33)}}`))).toEqual([
      400,
      10422,
      `/x${'/0'.repeat(31)}`,
    ])
  })
})
