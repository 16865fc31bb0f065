import { beforeEach, describe, expect, test } from 'vitest'
import { keyFor } from '../../edge/token/keys.js'
import type { Item } from '../stage.js'
import { CONFIG, config, refusalOf, toldBy, without } from './bodies.js'
import { MEMBER_ROWS, REFUSED, TAKEN } from './configuration-values.js'
import { servedFor } from './served.js'

const served = servedFor('token_configurations', 'token_keys')
const { call } = served
const create = (changes: object = {}) => call('POST', CONFIG, config(changes))

describe('PATCH', () => {
  let made: Item
  const patch = (body: unknown) => call('PATCH', `${CONFIG}/${made['id']}`, body)
  const stored = async () => (await call('GET', `${CONFIG}/${made['id']}`)).json.result
  beforeEach(async () => {
    made = (await create()).json.result
  })

  test.each(
    TAKEN.map(([member, values]) => [MEMBER_ROWS[member].changed, member, values] as const),
  )('%s: %s may become each of %j, and no more changes', async (_row, member, values) => {
    for (const value of values) {
      const answer = await patch({ [member]: value })
      const { id, description, title, token_sources } = { ...made, [member]: value } as Item
      expect(answer.json.result).toEqual({ id, description, title, token_sources })
      const { last_updated } = await stored()
      expect(await stored()).toEqual({ ...made, [member]: value, last_updated })
    }
  })

  test.each(REFUSED.map((row) => [MEMBER_ROWS[row[0]].changed, ...row] as const))(
    '%s: %s may become none of %j, and nothing changes',
    async (_row, member, values, code, pointer) => {
      for (const value of values)
        expect([value, ...refusalOf(await patch({ [member]: value }))]).toEqual([
          value,
          400,
          code,
          pointer,
        ])
      expect(await stored()).toEqual(made)
    },
  )

  test('4.1 PATCH config/{config_id}: takes an empty object', async () => {
    expect((await patch({})).status).toBe(200)
    expect(await stored()).toEqual(made)
  })

  test('4.1 PATCH config/{config_id}: is not for keys, type, id and times, and says so', async () => {
    const body = without({ ...made, token_type: 'JWT' }, 'title', 'description', 'token_sources')
    expect(toldBy(await patch(body)).toSorted()).toEqual(
      Object.keys(body)
        .map((member) => [10423, `/${member}`])
        .toSorted(),
    )
    expect(await stored()).toEqual(made)
  })

  test.each([null, 1, [], 'x'])(
    '4.1 PATCH config/{config_id}: refuses the body %j',
    async (body) => {
      expect(refusalOf(await patch(body))).toEqual([400, 10422, ''])
    },
  )

  test.each(['PATCH', 'PUT credentials', 'PATCH credentials'])(
    '2.2 last_updated: is the time of the last %s, and created_at stays',
    async (what) => {
      const [method = '', rest = ''] = what.split(' ')
      served.stage.clock += 1000
      const body = rest === '' ? { title: 'New' } : { keys: [keyFor('RS256').jwk] }
      await call(method, `${CONFIG}/${made['id']}${rest && `/${rest}`}`, body)
      served.stage.clock -= 1000
      const { created_at, last_updated } = await stored()
      expect([created_at, last_updated]).toEqual([
        '2026-01-31T12:00:00.000000Z',
        '2026-01-31T12:00:01.000000Z',
      ])
    },
  )
})
