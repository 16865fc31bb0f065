import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/management/index.js'
import { sqliteDialect } from '../../src/node/store/index.js'
import { postgresDialect } from '../../src/node/store/postgres/index.js'
import { postgres } from './databases.js'
import { answered, OTHERS, searches, walked } from './searches.js'
import { ACCOUNT, createStage, createZoneStage, ZONE, type Stage } from './stage.js'

const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const RULES = `/zones/${ZONE}/token_validation/rules`
/** More than are walked to from an end. */
const MANY = 2400

const folder = mkdtempSync(join(tmpdir(), 'portcullis-searches-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const onSqlite = async () => () => sqliteDialect(join(folder, 'searches.db'))
const onPostgres = async () => {
  const address = await postgres.address()
  return () => postgresDialect(address)
}

const operation = (number: number) => ({
  method: ['GET', 'POST', 'PUT'][number % 3],
  host: `h${number % 5}.example.com`,
  endpoint: `/p${number}`,
})
const rule = (number: number) => ({
  title: `Rule ${number}`,
  action: number % 2 === 0 ? 'block' : 'log',
  enabled: number % 3 > 0,
  expression: 'true',
  selector: { include: [{ host: [`h${number % 3}.example.com`] }] },
  position: { index: 1 },
})
const policy = (permissions: readonly string[], resources: readonly string[]) => ({
  permission_groups: permissions.map((id) => ({ id })),
  resources: Object.fromEntries(resources.map((each) => [each, '*'])),
})
const account = (id: string) => `com.cloudflare.api.account.${id}`

/** An id out of a list, chosen by a number; one that is nowhere when there is none. */
async function one({ call }: Stage, path: string, number: number): Promise<string> {
  const { json } = await call('GET', `${path}?per_page=1000`)
  const item = json.list[number % Math.max(1, json.list.length)]
  return String(item?.['operation_id'] ?? item?.['id'] ?? 'none')
}

/** What may happen between two questions. Some of it is refused. */
const CHANGES: Readonly<Record<string, (stage: Stage, number: number) => Promise<unknown>>> = {
  'operations come': ({ call }, number) =>
    call('POST', OPERATIONS, [operation(number), operation(number + 1), operation(number + 70)]),
  'an operation goes': async (stage, number) =>
    stage.call('DELETE', `${OPERATIONS}/${await one(stage, OPERATIONS, number)}`),
  'a rule comes': ({ call }, number) => call('POST', RULES, rule(number)),
  'a rule changes': async (stage, number) =>
    stage.call('PATCH', `${RULES}/${await one(stage, RULES, number)}`, {
      action: number % 2 === 0 ? 'log' : 'block',
      enabled: number % 3 === 0,
    }),
  'a rule goes': async (stage, number) =>
    stage.call('DELETE', `${RULES}/${await one(stage, RULES, number)}`),
  'the policy is rolled back': async (stage, number) => {
    const { json } = await stage.call('GET', `/zones/${ZONE}/gate/versions?per_page=1000`)
    const version = json.list[number % Math.min(6, json.list.length)]?.['version']
    return stage.call('POST', `/zones/${ZONE}/gate/rollback`, { version })
  },
  'a zone comes': ({ call }, number) =>
    call('POST', '/zones', {
      name: `z${number % 40}.example`,
      account: { id: [ACCOUNT, ...OTHERS][number % 3] },
      plan: { id: number % 2 === 0 ? 'free' : 'pro' },
    }),
  'a zone changes its plan': async (stage, number) =>
    stage.call('PATCH', `/zones/${await one(stage, '/zones', number)}`, {
      plan: { id: number % 2 === 0 ? 'business' : 'free' },
    }),
  'a zone goes': async (stage, number) => {
    const id = await one(stage, '/zones', number)
    return id === ZONE || stage.call('DELETE', `/zones/${id}`)
  },
  'an account is called otherwise': ({ call }, number) =>
    call('PUT', `/accounts/${OTHERS[number % 2]}`, { name: 'ABC'[number % 3] }),
  'a token comes': async (stage, number) => {
    const { result } = (await stage.call('GET', '/zones?per_page=1000')).json
    const zone = (result as unknown as { id: string }[])[number % 7]?.id ?? ZONE
    const [name, resource] = [
      ['of an account', account(ACCOUNT)],
      ['of zone ' + zone, `com.cloudflare.api.account.zone.${zone}`],
      ['of all', '*'],
    ][number % 3]!
    const expires_on = new Date(stage.clock + (number % 50) * 1000).toISOString()
    return stage.call('POST', '/user/tokens', {
      name,
      policies: [policy(['zones:read'], [resource!])],
      ...(number % 2 === 0 && { expires_on }),
    })
  },
  'a token changes': async (stage, number) => {
    const { json } = await stage.call('GET', '/user/tokens?per_page=1000')
    const made = json.list.filter(({ name }) => String(name).startsWith('of all'))
    const token = made[number % Math.max(1, made.length)]
    const expires_on = new Date(stage.clock + (number % 9) * 1000).toISOString()
    const policies = [policy(['zones:read'], [number % 2 === 0 ? '*' : account(ACCOUNT)])]
    const name = number % 2 === 0 ? 'of all' : 'of an account'
    return stage.call('PUT', `/user/tokens/${token?.['id']}`, { name, policies, expires_on })
  },
  'time passes': async (stage, number) => (stage.clock += (number % 20) * 1000),
  'a clock is late': async (stage, number) => (stage.clock -= (number % 5) * 1000),
}

/** Changes, and what is asked of both processes in turn after each. */
const life = fc.record({
  steps: fc.array(
    fc.record({
      change: fc.constantFrom(...Object.keys(CHANGES)),
      number: fc.nat(1000),
      makes: fc.nat(1),
    }),
    { minLength: 20, maxLength: 20 },
  ),
  asked: fc.array(searches, { minLength: 25, maxLength: 25 }),
})

async function callersOf({ call }: Stage): Promise<ReadonlyMap<string, string>> {
  const of = new Map([
    ['of an account', [account(ACCOUNT)]],
    ['of some', [...OTHERS.map(account), `com.cloudflare.api.account.zone.${ZONE}`]],
  ])
  const callers = new Map<string, string>()
  for (const [name, resources] of of) {
    const policies = [policy(['zones:read', 'accounts:read', 'api_tokens:read'], resources)]
    const { json } = await call('POST', '/user/tokens', { name, policies })
    callers.set(name, String(json.result['value']))
  }
  return callers
}

describe.each([
  ['SQLite', onSqlite, 5],
  ['Postgres', onPostgres, 2],
] as const)('two processes over one %s', (_name, kind, numRuns) => {
  test('show every page of every list as one finds it by walking', async () => {
    const dialect = await kind()
    const [one_, other] = [await openDatabase(dialect()), await openDatabase(dialect())]
    const stages = [await createZoneStage(one_), await createStage(other)] as const
    const [first] = stages
    for (const id of OTHERS) await first.call('POST', '/accounts', { id, name: 'B' })
    const callers = await callersOf(first)
    for (let at = 0; at < MANY; at += 800)
      await first.call(
        'POST',
        OPERATIONS,
        Array.from({ length: 800 }, (_, index) => operation(at + index)),
      )
    for (let at = 0; at < 12; at++) {
      await CHANGES['a rule comes']!(first, at)
      await CHANGES['a zone comes']!(first, at)
      await CHANGES['a token comes']!(first, at)
    }
    const property = fc.asyncProperty(life, async ({ steps, asked }) => {
      for (const [step, { change, number, makes }] of steps.entries()) {
        await CHANGES[change]!(stages[makes]!, number)
        for (const [index, search] of asked.entries()) {
          const stage = stages[(step + index) % 2]!
          const token = search.caller === undefined ? {} : { token: callers.get(search.caller[0])! }
          const url = `${search.list.path}?${search.query}`
          const answer = await stage.call('GET', url, undefined, token)
          const right = await walked(first.db, search, stage.clock * 1000)
          expect(answered(answer, search), `${change}, then ${url}`).toEqual(right)
        }
      }
    })
    await fc.assert(property, { numRuns, seed: 11, endOnFailure: true })
    for (const stage of stages) await stage.close()
  }, 240_000)
})
