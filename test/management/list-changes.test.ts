import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/management/index.js'
import { sqliteDialect } from '../../src/node/store/index.js'
import { ACCOUNT, createStage, createZoneStage, ZONE, type Stage } from './stage.js'

const OTHER = 'b'.repeat(32)
const THERE = 'f'.repeat(32)
const NEW = 'e'.repeat(32)
const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const RULES = `/zones/${ZONE}/token_validation/rules`
const TOKENS = '/user/tokens'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-changes-'))
const open = () => openDatabase(sqliteDialect(join(folder, 'changes.db')))
const stages: Stage[] = []
let caller = ''
let token = ''
let rule = ''

const policies = (permissions: readonly string[], resource: string) => [
  {
    permission_groups: permissions.map((id) => ({ id })),
    resources: { [`com.cloudflare.api.account.${resource}`]: '*' },
  },
]
const get = (endpoint: string) => ({ method: 'GET', host: 'a.example.com', endpoint })
const newGet = (endpoint: string) => ({ method: 'GET', host: 'a.new.example', endpoint })
const zone = (id: string, name: string) => ({ id, name, account: { id: OTHER } })

beforeAll(async () => {
  stages.push(await createZoneStage(await open()), await createStage(await open()))
  const { call } = stages[0]!
  await call('POST', '/accounts', { id: OTHER, name: 'Zebra' })
  for (const [index, account] of [OTHER, OTHER, ACCOUNT].entries())
    await call('POST', '/zones', { name: `z${index}.example`, account: { id: account } })
  await call('POST', '/zones', { id: THERE, name: 'there.example', account: { id: OTHER } })
  await call('POST', OPERATIONS, [get('/a'), get('/b')])
  await call('POST', '/zones', zone(NEW, 'new.example'))
  await call('POST', `/zones/${NEW}/api_gateway/operations`, [newGet('/a'), newGet('/b')])
  const made = { title: 'One', action: 'block', expression: 'true' }
  rule = String((await call('POST', RULES, made)).json.result['id'])
  const all = policies(['zones:read', 'api_tokens:read'], OTHER)
  const owner = await call('POST', TOKENS, { name: 'caller', policies: all })
  caller = String(owner.json.result['value'])
  const ofZone = policies(['zones:read'], `zone.${THERE}`)
  const given = await call('POST', TOKENS, { name: 'of a zone', policies: ofZone })
  token = String(given.json.result['id'])
})
afterAll(async () => {
  for (const stage of stages) await stage.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What another process has answered, what changes it, and who asks. */
type Calls = readonly (readonly [method: string, path: string, body?: unknown])[]
const CHANGES: readonly (readonly [string, string, () => Calls, 'caller' | 'owner'])[] = [
  [
    'a rule is switched off',
    `${RULES}?enabled=true`,
    () => [['PATCH', `${RULES}/${rule}`, { enabled: false }]],
    'owner',
  ],
  [
    'an account is renamed',
    '/zones?order=account.name',
    () => [['PUT', `/accounts/${OTHER}`, { name: 'Aardvark' }]],
    'owner',
  ],
  [
    'an account is renamed that is searched for',
    '/zones?account.name=Aardvark&order=plan.id',
    () => [['PUT', `/accounts/${OTHER}`, { name: 'Bear' }]],
    'owner',
  ],
  [
    'a zone changes its plan',
    `/zones?account.id=${OTHER}&order=plan.id`,
    () => [['PATCH', `/zones/${THERE}`, { plan: { id: 'pro' } }]],
    'owner',
  ],
  [
    'a token is for something else',
    TOKENS,
    () => [
      ['PUT', `${TOKENS}/${token}`, { name: 'x', policies: policies(['zones:read'], ACCOUNT) }],
    ],
    'caller',
  ],
  [
    'a token is for that again',
    TOKENS,
    () => [
      [
        'PUT',
        `${TOKENS}/${token}`,
        { name: 'x', policies: policies(['zones:read'], `zone.${THERE}`) },
      ],
    ],
    'caller',
  ],
  ['the zone goes that a token is for', TOKENS, () => [['DELETE', `/zones/${THERE}`]], 'caller'],
  [
    'an operation goes while another comes',
    `${OPERATIONS}?host=a.example.com`,
    () => [
      ['DELETE', OPERATIONS, 'all'],
      ['POST', OPERATIONS, [get('/c'), get('/d')]],
    ],
    'owner',
  ],
  [
    'a policy is rolled back',
    `${OPERATIONS}?host=a.example.com`,
    () => [
      ['POST', `/zones/${ZONE}/gate/rollback`, { version: 2 }],
      ['POST', RULES, { title: 'Two', action: 'log', enabled: false, expression: 'true' }],
    ],
    'owner',
  ],
  [
    'a zone goes and comes with other operations',
    `/zones/${NEW}/api_gateway/operations?method=GET`,
    () => [
      ['DELETE', `/zones/${NEW}`],
      ['POST', '/zones', zone(NEW, 'new.example')],
      ['POST', `/zones/${NEW}/api_gateway/operations`, [newGet('/c'), newGet('/d')]],
    ],
    'owner',
  ],
  [
    'a zone goes and comes without rules',
    `${RULES}?enabled=false`,
    () => [
      ['DELETE', `/zones/${ZONE}`],
      ['POST', '/zones', zone(ZONE, 'example.com')],
    ],
    'owner',
  ],
]

test.each(CHANGES)('another process tells it when %s', async (_name, asked, change, asks) => {
  const [first, second] = stages as [Stage, Stage]
  const options = asks === 'caller' ? { token: caller } : {}
  const answer = async (stage: Stage) => (await stage.call('GET', asked, undefined, options)).json
  const before = await answer(second)
  for (const [method, path, body] of change()) {
    const { list } = (await first.call('GET', OPERATIONS)).json
    const all = list.map((each) => ({ operation_id: each['operation_id'] }))
    const { status } = await first.call(method, path, body === 'all' ? all : body)
    expect(status).toBe(200)
  }
  const after = await answer(second)
  const fresh = await createStage(await open())
  expect(after).toEqual(await answer(fresh))
  expect(after.result).not.toEqual(before.result)
  await fresh.close()
})
