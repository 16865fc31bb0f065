import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createZoneStage, ZONE, type Answer, type Stage } from './stage.js'

const PATH = `/zones/${ZONE}/token_validation/rules`

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  await stage.db.deleteFrom('rules').execute()
})

const rule = (changes: object = {}) => ({ action: 'block', expression: 'ssl', ...changes })
const create = (changes: object = {}): Promise<Answer> => stage.call('POST', PATH, rule(changes))
const idOf = ({ json }: Answer): string => String(json.result['id'])
const titles = async (): Promise<unknown[]> =>
  (await stage.call('GET', PATH)).json.list.map(({ title }) => title)
const pointers = ({ json }: Answer) => json.errors.map(({ source }) => source?.pointer)

describe('the order', () => {
  let ids: Record<string, string>
  beforeEach(async () => {
    ids = {}
    for (const title of ['1', '2', '3', '4', '5']) ids[title] = idOf(await create({ title }))
  })
  const move = (title: string, position: object) =>
    stage.call('PATCH', `${PATH}/${ids[title]}`, { position })

  test.each<[string, (all: Record<string, string>) => object, string]>([
    ['2', () => ({ index: 1 }), '21345'],
    ['2', () => ({ index: 2 }), '12345'],
    ['2', () => ({ index: 4 }), '13425'],
    ['2', () => ({ index: 99 }), '13452'],
    ['1', () => ({ index: 5 }), '23451'],
    ['5', () => ({ index: 1 }), '51234'],
    ['2', (all) => ({ before: all['5'] }), '13425'],
    ['4', (all) => ({ before: all['1'] }), '41235'],
    ['2', (all) => ({ before: all['3'] }), '12345'],
    ['2', (all) => ({ after: all['5'] }), '13452'],
    ['4', (all) => ({ after: all['1'] }), '14235'],
    ['4', (all) => ({ after: all['3'] }), '12345'],
  ])('moving %s by %s gives %s', async (title, position, order) => {
    expect((await move(title, position(ids))).status).toBe(200)
    expect((await titles()).join('')).toBe(order)
    const places = await stage.db
      .selectFrom('rules')
      .select('position')
      .orderBy('position')
      .execute()
    expect(places.map((row) => row.position)).toEqual([1, 2, 3, 4, 5])
  })

  test.each<[place: string, position: object | null, code: number, pointer: string]>([
    ['next to itself', { before: '2' }, 110204, '/before'],
    ['after itself', { after: '2' }, 110204, '/after'],
    ['next to no rule', { before: 'none' }, 110204, '/before'],
    ['after no rule', { after: 'none' }, 110204, '/after'],
    ['next to an empty id', { before: '' }, 10422, '/before'],
    ['null', null, 10422, ''],
    ['nowhere', {}, 10422, '/index'],
    ['two at once', { index: 1, before: '5' }, 10422, ''],
    ['of another name', { first: true }, 10422, ''],
    ['0', { index: 0 }, 10422, '/index'],
    ['before the first', { index: -1 }, 10422, '/index'],
    ['a fraction', { index: 1.5 }, 10422, '/index'],
    ['text', { index: '1' }, 10422, '/index'],
    ['beyond all numbers', { index: 2 ** 53 }, 10422, '/index'],
  ])('the place %s is refused, and nothing moves', async (_, position, code, pointer) => {
    const to = JSON.parse(JSON.stringify(position), (name, value) =>
      ['before', 'after'].includes(name) ? (ids[String(value)] ?? value) : value,
    )
    const id = ids['2']
    const answers: [Answer, string][] = [
      [await stage.call('PATCH', `${PATH}/${id}`, { position: to }), ''],
      [await stage.call('PATCH', `${PATH}/bulk`, [{ id, position: to }]), '/0'],
    ]
    // A new rule is next to none of its own.
    if (Object.values(position ?? {})[0] !== '2') answers.push([await create({ position: to }), ''])
    for (const [{ status, json }, base] of answers) {
      expect([status, json.errors[0]?.code]).toEqual([400, code])
      expect(json.errors[0]?.source?.pointer).toBe(`${base}/position${pointer}`)
    }
    expect((await titles()).join('')).toBe('12345')
  })

  test('a new rule may say where it goes', async () => {
    await create({ title: '0', position: { index: 1 } })
    await create({ title: 'x', position: { after: ids['3'] } })
    expect((await titles()).join('')).toBe('0123x45')
  })

  test('a deleted rule leaves no gap', async () => {
    await stage.call('DELETE', `${PATH}/${ids['2']}`)
    await move('5', { index: 2 })
    expect((await titles()).join('')).toBe('1534')
    const places = await stage.db
      .selectFrom('rules')
      .select('position')
      .orderBy('position')
      .execute()
    expect(places.map((row) => row.position)).toEqual([1, 2, 3, 4])
  })

  test('several moves in one call follow one another', async () => {
    const body = [
      { id: ids['5'], position: { index: 1 } },
      { id: ids['1'], position: { after: ids['5'] }, title: 'one' },
      { id: ids['3'], position: { index: 5 } },
    ]
    const { status, json } = await stage.call('PATCH', `${PATH}/bulk`, body)
    expect(status).toBe(200)
    expect(json.list.map(({ title }) => title)).toEqual(['5', 'one', '3'])
    expect((await titles()).join(' ')).toBe('5 one 2 4 3')
  })

  test('several changes of one rule add up', async () => {
    const id = ids['2']
    const body = [
      { id, title: 'x' },
      { id, action: 'log' },
      { id, enabled: false, position: { index: 1 } },
    ]
    expect((await stage.call('PATCH', `${PATH}/bulk`, body)).status).toBe(200)
    const { json } = await stage.call('GET', PATH)
    expect(json.list[0]).toMatchObject({ id, title: 'x', action: 'log', enabled: false })
  })

  test.each<[string, (all: Record<string, string>) => object, number, string]>([
    ['an unknown rule', () => ({ id: 'none', title: 'x' }), 404, '/1/id'],
    ['no id', () => ({ title: 'x' }), 400, '/1/id'],
    ['a bad expression', (all) => ({ id: all['3'], expression: 'nope' }), 400, '/1/expression'],
    [
      'a bad place',
      (all) => ({ id: all['3'], position: { before: 'none' } }),
      400,
      '/1/position/before',
    ],
  ])('of several changes with %s none is made', async (_, bad, status, pointer) => {
    const body = [{ id: ids['5'], position: { index: 1 }, title: 'five' }, bad(ids)]
    const answer = await stage.call('PATCH', `${PATH}/bulk`, body)
    expect([answer.status, pointers(answer)]).toEqual([status, [pointer]])
    expect((await titles()).join('')).toBe('12345')
  })
})

describe('POST rules/bulk', () => {
  test('adds all, in their order', async () => {
    const answer = await stage.call(
      'POST',
      `${PATH}/bulk`,
      ['x', 'y', 'z'].map((title) => rule({ title })),
    )
    expect(answer.status).toBe(200)
    expect(answer.json.list.map(({ title }) => title)).toEqual(['x', 'y', 'z'])
    expect(await titles()).toEqual(['x', 'y', 'z'])
  })

  test('or none, and names every fault', async () => {
    const bad = [
      rule(),
      rule({ expression: 'nope' }),
      rule({ selector: { include: [{ host: '!' }] } }),
    ]
    const answer = await stage.call('POST', `${PATH}/bulk`, bad)
    expect([answer.status, pointers(answer)]).toEqual([
      400,
      ['/1/expression', '/2/selector/include/0/host'],
    ])
    expect(await titles()).toEqual([])
  })
})
