import { afterEach, beforeEach, expect, test } from 'vitest'
import { judged } from './contract.js'
import { ACCOUNT, BASE, createZoneStage, ZONE, type Stage } from './stage.js'

let stage: Stage
beforeEach(async () => void (stage = await createZoneStage()))
afterEach(() => stage.close())

const request = (path: string, method = 'GET', body?: unknown) =>
  new Request(BASE + path, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })

test('the owner of the store calls without a token, everywhere, and the audit log tells', async () => {
  const { management, db } = stage
  const name = 'of-the-owner.example'
  const body = { name, account: { id: ACCOUNT } }
  const ask = judged(management.fetchAsOwner)
  expect((await ask(request('/zones', 'POST', body))).status).toBe(200)
  expect((await ask(request('/user/tokens'))).status).toBe(200)
  const lines = await db.selectFrom('audit_log').select(['actor_id', 'after']).execute()
  const [line] = lines.filter(({ after }) => after?.includes(name))
  expect(line).toMatchObject({ actor_id: 'command-line' })
})

test('nothing that comes with a request makes its sender the owner', async () => {
  const listener = stage.management.fetch as (...args: readonly unknown[]) => Promise<Response>
  const owner = { actor: { id: 'x', name: 'x', grants: [] } }
  expect((await listener(request('/zones'), owner)).status).toBe(401)
})

test('the heads are the newest versions of all zones, and gone with their zones', async () => {
  const { management, call } = stage
  const head = async () => (await management.policyHeads()).find(({ zone_id }) => zone_id === ZONE)
  const first = await head()
  expect(first).toMatchObject({ version: 1 })
  await call('PATCH', `/zones/${ZONE}`, { upstream: 'http://127.0.0.1:9000' })
  const second = await head()
  const policy = await management.policy(ZONE)
  expect(second).toMatchObject({ version: 2, hash: policy?.hash, created_at: policy?.created_at })
  expect(second?.hash).not.toBe(first?.hash)
  await call('DELETE', `/zones/${ZONE}`)
  expect(await head()).toBeUndefined()
})
