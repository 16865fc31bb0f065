import { describe, expect, test } from 'vitest'
import { keyFor } from '../edge/token/keys.js'
import { openDatabase } from '../../src/management/index.js'
import { postgresDialect } from '../../src/node/store/postgres/index.js'
import { postgres, sqlite, useDatabases } from './databases.js'
import { ACCOUNT, createZoneStage, ZONE, type Stage } from './stage.js'

const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const CONFIG = `/zones/${ZONE}/token_validation/config`
const RULES = `/zones/${ZONE}/token_validation/rules`

const ERROR_RULES = `/zones/${ZONE}/rulesets/phases/http_custom_errors/entrypoint`
const ERROR_RULE = {
  expression: 'cf.response.1xxx_code eq 1020 and http.request.uri.path contains "é"',
  action_parameters: { content: '😀', content_type: 'text/plain', status_code: 503 },
}
const SCHEMAS = `/zones/${ZONE}/schema_validation/schemas`
const LOG = `/zones/${ZONE}/audit_log`
const SOURCE = 'openapi: 3.1.0\npaths:\n  /é/{x}:\n    get: {}\n'

const get = (endpoint: string, host = 'api.example.com') => ({ method: 'GET', host, endpoint })
const keys = ['RS256', 'ES256', 'HS256'].map((alg) => keyFor(alg).jwk)

const REPORT = { instance: 'é', version: 3, hash: 'x', started_at: '2026-01-31T11:00:00Z' }
const REFUSED = { version: 5, code: 'x', message: '', pointer: '' }

/** Calls that touch every query. `$n` stands for the id in the answer of the nth call, from 0. */
const STORY: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  [
    'POST',
    CONFIG,
    {
      title: 'Quotes \' " \\ % _ 😀',
      description: '; drop table rules; --',
      token_type: 'jwt',
      token_sources: ['http.request.headers["a"][0]', 'http.request.cookies["é"][0]'],
      credentials: { keys },
    },
  ],
  [
    'POST',
    OPERATIONS,
    [get('/users/{id}'), get('/b%25'), get('/ü', '{x}.example.com'), get('/b%25')],
  ],
  ['POST', `${OPERATIONS}/item`, get('/users/{other}')],
  ['GET', `${OPERATIONS}?endpoint=%25&per_page=1&page=1`],
  ['GET', `${OPERATIONS}?host=api.example.com&method=GET&order=endpoint&direction=desc`],
  ['GET', `${OPERATIONS}?order=host&page=9`],
  ['POST', RULES, { title: 'one', action: 'block', expression: 'is_jwt_valid("$0")' }],
  [
    'POST',
    `${RULES}/bulk`,
    ['two', 'three', 'four'].map((title) => ({
      title,
      action: 'log',
      expression: 'is_jwt_present("$0") or not is_jwt_present("$0")',
      selector: { include: [{ host: 'api.example.com' }], exclude: [{ operation_ids: ['$2'] }] },
      position: { index: 1 },
    })),
  ],
  ['PATCH', `${RULES}/$6`, { position: { index: 2 }, enabled: false, title: "o'ne" }],
  ['GET', RULES],
  ['GET', `${RULES}?host=API.example.com&hostname=api.example.com&enabled=true&action=log`],
  ['GET', `${RULES}?token_configuration=$0&token_configuration=x&id=$6`],
  ['GET', `${RULES}?id=&per_page=2&page=2`],
  ['POST', RULES, { action: 'log', expression: 'nope' }],
  ['POST', `${RULES}/preview`, { include: [{ host: 'api.example.com' }] }],
  ['DELETE', `${CONFIG}/$0`],
  ['PUT', `${CONFIG}/$0/credentials`, { keys: keys.slice(1) }],
  [
    'PATCH',
    `${CONFIG}/$0/credentials`,
    { keys: keys.map(({ alg, kid }) => ({ alg, kid })).slice(1) },
  ],
  ['PATCH', `${CONFIG}/$0`, { title: 'renamed' }],
  ['GET', `${CONFIG}?per_page=1`],
  ['DELETE', `${RULES}/$6`],
  ['GET', `${RULES}?per_page=1&page=3`],
  ['DELETE', OPERATIONS, [{ operation_id: '$2' }, { operation_id: 'none' }]],
  ['PATCH', `/zones/${ZONE}`, { upstream: 'http://127.0.0.1:1' }],
  ['GET', `/zones/${ZONE}/gate/policy`],
  ['GET', `/zones/${ZONE}/gate/versions?per_page=3&page=2`],
  ['POST', `/zones/${ZONE}/gate/instances`, REPORT],
  ['POST', `/zones/${ZONE}/gate/instances`, { ...REPORT, version: 4, refused: REFUSED }],
  ['GET', `/zones/${ZONE}/gate/instances`],
  ['POST', `/zones/${ZONE}/gate/rollback`, { version: 5 }],
  ['GET', OPERATIONS],
  ['GET', RULES],
  ['POST', `/zones/${ZONE}/gate/rollback`, { version: 99 }],
  ['POST', `/zones/${ZONE}/gate/rollback`, { version: 1 }],
  ['GET', '/zones?name=example.com&order=account.name&direction=desc'],
  ['POST', '/zones', { name: 'example.com', account: { id: ACCOUNT } }],
  ['POST', '/accounts', { id: ACCOUNT, name: 'again' }],
  ['DELETE', `/accounts/${ACCOUNT}`],
  ['GET', '/accounts?name=Tests'],
  ['GET', '/user/tokens'],
  ['POST', SCHEMAS, { kind: 'openapi_v3', name: 'é', source: SOURCE, validation_enabled: true }],
  ['GET', `${SCHEMAS}?validation_enabled=true&per_page=1`],
  ['GET', `${SCHEMAS}?validation_enabled=false&omit_source=true`],
  ['PATCH', `${SCHEMAS}/$30`, { validation_enabled: false }],
  ['DELETE', `${SCHEMAS}/$30`],
  ['GET', `${LOG}?object_id=$30&action=delete&actor=First%20administrator`],
  ['GET', `${LOG}?object_type=zone&action=update&since=2026-01-31&until=2026-02-01T00:00:00Z`],
  ['GET', `/accounts/${ACCOUNT}/audit_logs?zone.name=Example.com&object_type=token_configuration`],
  ['GET', '/audit_log?object_type=account&page=2&per_page=1'],
  ['PATCH', `/zones/${ZONE}`, { plan: { id: 'pro' } }],
  ['GET', '/zones?order=plan.id'],
  ['PUT', ERROR_RULES, { rules: [ERROR_RULE, { ...ERROR_RULE, ref: 'é' }] }],
  ['PUT', `/zones/${ZONE}/custom_pages/500_errors`, { state: 'customized', content: '<p>é 😀' }],
  ['PUT', `/zones/${ZONE}/custom_pages/1020`, { state: 'customized', content: '<p>' }],
  ['GET', `/zones/${ZONE}/custom_pages`],
  ['PATCH', `/zones/${ZONE}/edge_errors/settings`, { name: 'é', accent: '#d2691e' }],
  ['GET', `/zones/${ZONE}/gate/policy`],
  ['PATCH', `/zones/${ZONE}`, { plan: { id: 'free' } }],
  ['GET', ERROR_RULES],
  ['POST', `/zones/${ZONE}/gate/rollback`, { version: 1 }],
  ['GET', ERROR_RULES],
  ['DELETE', `/zones/${ZONE}`],
  ['DELETE', `/accounts/${ACCOUNT}`],
]

async function tell(stage: Stage): Promise<readonly string[]> {
  const ids: string[] = []
  const answers: string[] = []
  for (const [method, path, body] of STORY) {
    const filled = JSON.stringify([path, body]).replaceAll(/\$(\d+)/g, (_, at: string) => ids[+at]!)
    const [where, what] = JSON.parse(filled) as [string, unknown]
    stage.clock += 1
    const answer = await stage.call(method, where, what ?? undefined)
    const { id, operation_id, schema_id } = answer.json.result ?? {}
    ids.push(String(id ?? operation_id ?? schema_id ?? ''))
    answers.push(`${method} ${path} ${answer.status} ${answer.text}`)
  }
  return numbered(answers)
}

/** Ids are random: each becomes the number of its first appearance. */
function numbered(texts: readonly string[]): readonly string[] {
  const seen = new Map<string, string>()
  const number = (id: string) => {
    if (!seen.has(id)) seen.set(id, `#${seen.size}`)
    return seen.get(id)!
  }
  const id = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b(?:[0-9a-f]{32}){1,2}\b/g
  return texts.map((text) => text.replaceAll(id, number))
}

describe('the API on SQLite and on Postgres', () => {
  useDatabases(sqlite, postgres)

  test('tells the same story, call by call', async () => {
    const stages = [
      await createZoneStage(await sqlite.fresh()),
      await createZoneStage(await postgres.fresh()),
    ]
    const [one, other] = await Promise.all(stages.map(tell))
    expect(other).toEqual(one)
    expect(stages.flatMap(({ faults }) => faults)).toEqual([])
    expect(one!.filter((line) => / 5\d\d /.test(line))).toEqual([])
  })

  test.each([sqlite, postgres])('on $name fifty writers at once all get through', async (kind) => {
    const stage = await createZoneStage(await kind.fresh())
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        at % 2 === 0
          ? stage.call('POST', RULES, {
              title: `${at}`,
              action: 'log',
              expression: 'ssl',
              position: { index: 1 },
            })
          : stage.call('POST', `${OPERATIONS}/item`, get(`/${at % 10}`)),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const places = await stage.db
      .selectFrom('rules')
      .select('position')
      .orderBy('position')
      .execute()
    expect(places.map(({ position }) => position)).toEqual(places.map((_, at) => at + 1))
    expect((await stage.call('GET', OPERATIONS)).json.result_info).toMatchObject({ total_count: 5 })
    const policy = await stage.management.policy(ZONE)
    expect(policy?.zone.rules).toHaveLength(25)
  })

  test('processes over one Postgres hear of each other within about a second', async () => {
    const address = await postgres.address()
    const stages = [
      await createZoneStage(await openDatabase(postgresDialect(address))),
      await createZoneStage(await openDatabase(postgresDialect(address))),
    ] as const
    const heard = stages.map(
      ({ management }) =>
        new Promise((resolve) => management.onPolicy((zone, version) => resolve([zone, version]))),
    )
    // Both have looked at the database before anything changes.
    await new Promise((resolve) => setTimeout(resolve, 200))
    const begin = performance.now()
    await stages[0].call('POST', RULES, { action: 'log', expression: 'ssl' })
    expect(await Promise.all(heard)).toEqual([
      [ZONE, 2],
      [ZONE, 2],
    ])
    expect(performance.now() - begin).toBeLessThan(5000)
    for (const { management, close, faults } of stages) {
      management.close()
      await close()
      expect(faults).toEqual([])
    }
  })
})
