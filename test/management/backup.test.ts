import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createManagement, createSealer, type Management } from '../../src/management/index.js'
import type { Database } from '../../src/management/store/index.js'
import { keyFor } from '../edge/token/keys.js'
import { contractOf, type Contract } from './contract.js'
import { postgres, sqlite, useDatabases, type DatabaseKind } from './databases.js'

const random = (bytes: number) => new Uint8Array(randomBytes(bytes))
const key = random(32)
const hmac = keyFor('HS256').jwk as { readonly k: string }
const ADMIN = 'an-administrator-of-the-tests'
const ZONE = 'z'

useDatabases(sqlite, postgres)

const managementOf = async (db: Database, ring: readonly Uint8Array[] = [key]) =>
  createManagement({
    db,
    sealer: await createSealer(ring, random),
    now: () => Date.parse('2026-01-31T12:00:00Z'),
    newId: randomUUID,
    random,
  })

let contract: Contract | undefined

async function call(management: Management, method: string, path: string, body?: unknown) {
  const request = new Request(`http://localhost/client/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  contract ??= await contractOf(management.fetch)
  const response = await contract.ask(management.fetch, request)
  expect(response.status).toBe(200)
  return response.json() as Promise<{ result: Record<string, unknown> }>
}

/** A store with something in every table. */
async function filled(kind: DatabaseKind): Promise<{ db: Database; management: Management }> {
  const db = await kind.fresh()
  const management = await managementOf(db)
  await management.ensureFirstToken(ADMIN)
  await call(management, 'POST', '/accounts', { id: 'a', name: 'Täst "1"\n' })
  await call(management, 'POST', '/zones', { id: ZONE, name: 'example.com', account: { id: 'a' } })
  const operations = Array.from({ length: 1203 }, (_, at) => ({
    method: 'GET',
    host: 'example.com',
    endpoint: `/${at}`,
  }))
  await call(management, 'POST', `/zones/${ZONE}/api_gateway/operations`, operations)
  const source = JSON.stringify({ openapi: '3.1.0', paths: { '/x': { get: {} } } })
  const schema = { kind: 'openapi_v3', name: 's', source, validation_enabled: false }
  await call(management, 'POST', `/zones/${ZONE}/schema_validation/schemas`, schema)
  const { result } = await call(management, 'POST', `/zones/${ZONE}/token_validation/config`, {
    title: 'Tokens',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.cookies["token"][0]'],
    credentials: { keys: [hmac], jwks_uri: 'https://issuer.example/keys' },
  })
  await call(management, 'POST', `/zones/${ZONE}/token_validation/rules`, {
    title: 'Rule',
    description: '',
    action: 'block',
    enabled: true,
    expression: `is_jwt_valid("${String(result['id'])}")`,
    selector: { include: [{ host: ['example.com'] }] },
  })
  const zone = `/zones/${ZONE}`
  await call(management, 'PATCH', zone, { plan: { id: 'pro' } })
  const action_parameters = { content: 'Sorry', content_type: 'text/plain' }
  await call(management, 'PUT', `${zone}/rulesets/phases/http_custom_errors/entrypoint`, {
    rules: [{ expression: 'ssl', action_parameters }],
  })
  const page = { state: 'customized', content: '<p>Täst' }
  await call(management, 'PUT', `${zone}/custom_pages/1020`, page)
  await call(management, 'PUT', `${zone}/edge_errors/settings`, { name: 'Täst' })
  return { db, management }
}

async function backupOf(management: Management): Promise<string[]> {
  const lines: string[] = []
  const rows = await management.backup(async (line) => void lines.push(line))
  expect(rows).toBe(lines.length - 2)
  return lines
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

describe.each([
  [sqlite, sqlite],
  [sqlite, postgres],
  [postgres, sqlite],
])('a backup', (from, to) => {
  test(`of ${from.name} is restored into ${to.name}, whole, and is the same again`, async () => {
    const { db, management } = await filled(from)
    const lines = await backupOf(management)
    const tables = lines.slice(1, -1).map((line) => (JSON.parse(line) as [string])[0])
    const all = await db.introspection.getTables()
    // Which gates run is left out: they tell it again.
    const ours = all
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('kysely_') && name !== 'gate_instances')
    expect([...new Set(tables)].toSorted()).toEqual(ours.toSorted())
    expect(lines.join('\n')).not.toContain(hmac.k)
    expect(lines.join('\n')).not.toContain(ADMIN)

    const other = await managementOf(await to.fresh())
    expect(await other.restore(each(lines))).toBe(lines.length - 2)
    expect((await backupOf(other)).toSorted()).toEqual(lines.toSorted())
    const policy = await other.policy(ZONE)
    expect(policy).toEqual(await management.policy(ZONE))
    expect(JSON.stringify(policy)).toContain(hmac.k)
    await call(other, 'PATCH', `/zones/${ZONE}`, { paused: true })
  })
})

describe('what is not restored', () => {
  let lines: string[]
  beforeAll(async () => {
    lines = await backupOf((await filled(sqlite)).management)
  })

  test.each<[string, (lines: readonly string[]) => readonly string[], string]>([
    ['nothing', () => [], 'incomplete'],
    ['a backup without its end', (all) => all.slice(0, -1), 'incomplete'],
    ['a backup that lost a row', (all) => all.toSpliced(5, 1), 'incomplete'],
    ['a backup with more after its end', (all) => [...all, all[1]!], 'not_a_backup'],
    ['a backup without its beginning', (all) => all.slice(1), 'not_a_backup'],
    ['other text', () => ['hello'], 'not_a_backup'],
    ['other JSON', () => ['null'], 'not_a_backup'],
    [
      'rows of an unknown table',
      (all) => all.toSpliced(1, 1, '["constructor",{}]'),
      'not_a_backup',
    ],
    [
      'a backup of another version',
      (all) => all.with(0, all[0]!.replace(/"schema":"\w+"/, '"schema":"0000"')),
      'other_version',
    ],
  ])('%s', async (_, change, code) => {
    const db = await sqlite.fresh()
    const restored = (await managementOf(db)).restore(each(change(lines)))
    await expect(restored).rejects.toMatchObject({ name: 'BackupError', code })
    expect((await sql`select * from zones`.execute(db)).rows).toEqual([])
  })

  test('a backup whose secrets another key sealed', async () => {
    const db = await sqlite.fresh()
    const restored = (await managementOf(db, [random(32)])).restore(each(lines))
    await expect(restored).rejects.toMatchObject({ code: 'other_key' })
    expect(await db.selectFrom('zones').selectAll().execute()).toEqual([])
  })

  test('a backup into a store that is not empty', async () => {
    const { management } = await filled(sqlite)
    const before = await backupOf(management)
    await expect(management.restore(each(lines))).rejects.toMatchObject({ code: 'not_empty' })
    expect(await backupOf(management)).toEqual(before)
  })
})
