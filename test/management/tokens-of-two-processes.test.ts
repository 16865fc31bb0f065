import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MissingRow } from '../../src/management/store/index.js'
import { updateToken } from '../../src/management/tokens/api-tokens.js'
import { postgres, sqlite, useDatabases } from './databases.js'
import { ACCOUNT, createStage, createZoneStage, type Stage } from './stage.js'

const OTHER = 'b'.repeat(32)
const TOKENS = '/user/tokens'

const policiesFor = (account: string) => [
  {
    effect: 'allow',
    permission_groups: [{ id: 'zones:read' }],
    resources: { [`com.cloudflare.api.account.${account}`]: '*' },
  },
]

describe.each([sqlite, postgres])('tokens that two processes change on $name', (kind) => {
  let stage: Stage
  let caller: string
  let id: string
  useDatabases(kind)
  beforeEach(async () => {
    stage = await createZoneStage(await kind.fresh())
    await stage.call('POST', '/accounts', { id: OTHER, name: 'Other' })
    const reach = `com.cloudflare.api.account.${ACCOUNT}`
    caller = await stage.token(['zones:read', 'api_tokens:read'], reach)
    stage.clock += 1
    const body = { name: 'changes', policies: policiesFor(ACCOUNT) }
    id = String((await stage.call('POST', TOKENS, body)).json.result['id'])
  })
  afterEach(() => expect(stage.faults).toEqual([]))

  const seen = async (query = '') => {
    const answer = await stage.call('GET', `${TOKENS}${query}`, undefined, { token: caller })
    expect(answer.json.result_info).toMatchObject({ total_count: answer.json.list.length })
    return answer.json.list.map(({ name }) => name)
  }
  const row = () =>
    stage.db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  /** As a process does that knows neither reaches nor versions of lists: it writes back what it read. */
  async function changeAsBefore(account: string): Promise<void> {
    const { id: _, ...members } = await row()
    const policies = JSON.stringify(policiesFor(account))
    await stage.db
      .updateTable('api_tokens')
      .set({ ...members, policies })
      .where('id', '=', id)
      .execute()
  }

  test.each(['', '?include_expired=false'])(
    'what an older process changes is seen by whom it is for now (%s)',
    async (query) => {
      expect(await seen(query)).toEqual(['made', 'changes'])
      await changeAsBefore(OTHER)
      expect(await seen(query)).toEqual(['made'])
      await changeAsBefore(ACCOUNT)
      expect(await seen(query)).toEqual(['made', 'changes'])
    },
  )

  test('what an older process makes is seen by whom it is for', async () => {
    expect(await seen()).toEqual(['made', 'changes'])
    for (const [at, account] of [OTHER, ACCOUNT, OTHER].entries()) {
      const { reach: _, ...members } = await row()
      const policies = JSON.stringify(policiesFor(account))
      const name = `older ${at}`
      const made = {
        ...members,
        id: name,
        name,
        hash: name,
        policies,
        created_at: members.created_at + 1 + at,
      }
      // The database gives it the reach that rows have by default.
      await stage.db
        .insertInto('api_tokens')
        .values(made as never)
        .execute()
    }
    expect(await seen()).toEqual(['made', 'changes', 'older 1'])
  })

  test('what this version changes needs no second look', async () => {
    const before = (await row()).reach
    await stage.call('PUT', `${TOKENS}/${id}`, { name: 'x', policies: policiesFor(OTHER) })
    const { reach } = await row()
    expect([reach.length, reach === before]).toEqual([64, false])
    await stage.call('PUT', `${TOKENS}/${id}/value`)
    expect((await row()).reach).toBe(reach)
  })

  test('a new value and new policies at once are both there afterwards', async () => {
    const other = await createStage(stage.db)
    for (const account of [OTHER, ACCOUNT, OTHER]) {
      const body = { name: 'changes', policies: policiesFor(account) }
      const [rolled, changed] = await Promise.all([
        stage.call('PUT', `${TOKENS}/${id}/value`),
        other.call('PUT', `${TOKENS}/${id}`, body),
      ])
      expect([rolled.status, changed.status]).toEqual([200, 200])
      const token = String(rolled.json.result)
      const verified = await stage.call('GET', `${TOKENS}/verify`, undefined, { token })
      expect(verified.status).toBe(200)
      expect(JSON.parse((await row()).policies)).toEqual(body.policies)
    }
  })

  test('nobody changes a token whose policies are others than those they looked at', async () => {
    const known = await row()
    await stage.call('PUT', `${TOKENS}/${id}`, { name: 'wider', policies: policiesFor(OTHER) })
    const after = await row()
    const services = { db: stage.db, newId: randomUUID }
    const origin = { actor: { id: 'x', name: 'x' }, request_id: 'x', at: 1 }
    expect(await updateToken(services, known, { hash: 'x', lookup: 'x' }, origin)).toBeUndefined()
    expect(await row()).toEqual(after)
    expect(await updateToken(services, after, { name: 'y' }, origin)).toMatchObject({ name: 'y' })
    await stage.call('DELETE', `${TOKENS}/${id}`)
    await expect(updateToken(services, after, { name: 'z' }, origin)).rejects.toThrow(MissingRow)
  })
})
