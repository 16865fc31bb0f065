import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  change,
  changeZone,
  createSealer,
  keepSecret,
  MissingRow,
  moment,
  openSecrets,
  readPolicy,
  resealSecrets,
  type Database,
  type Origin,
} from '../../src/management/store/index.js'
import { addSecretKey, readSecretKeys } from '../../src/node/store/index.js'
import { postgres, sqlite, useDatabases } from './databases.js'

const random = (bytes: number) => new Uint8Array(randomBytes(bytes))
const AT = 1_769_860_800_123_456
const origin: Origin = { actor: { id: 'a1', name: 'tests' }, request_id: 'r1', at: AT }

let ids = 0
const newId = () => `id-${++ids}`

async function addZone(db: Database, id: string): Promise<void> {
  const zone = {
    id,
    account_id: 'acc',
    name: `${id}.example.com`,
    type: 'full',
    paused: 0,
    upstream: null,
    settings: '{}',
    lists: '{}',
    policy_version: 0,
    operation_count: 0,
    rule_count: 0,
    created_at: AT,
    updated_at: AT,
  }
  await db.insertInto('zones').values(zone).execute()
}

const operation = (zone_id: string, id: string) => ({
  zone_id,
  id,
  method: 'GET',
  host: 'a.example.com',
  endpoint: `/${id}`,
  match_key: id,
  created_at: AT,
})

describe.each([sqlite, postgres])('the store on $name', (kind) => {
  let db: Database
  useDatabases(kind)
  beforeAll(async () => {
    db = await kind.fresh()
  })

  test('numbers above 2^32 come back as numbers', async () => {
    await addZone(db, 'numbers')
    const zone = await db.selectFrom('zones').selectAll().where('id', '=', 'numbers').execute()
    expect(zone).toMatchObject([{ created_at: AT, paused: 0 }])
    const count = await db
      .selectFrom('zones')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(count.n).toBe(1)
  })

  test('a change and its line in the audit log are there together, or neither is', async () => {
    const account = {
      id: 'x',
      name: 'x',
      type: 'standard' as const,
      created_at: AT,
      updated_at: AT,
    }
    const add = (fails: boolean) =>
      change(db, newId, origin, async ({ tx, record }) => {
        await tx.insertInto('accounts').values(account).execute()
        record({ action: 'create', object_type: 'account', object_id: 'x', after: account })
        if (fails) throw new Error('too late')
      })
    await expect(add(true)).rejects.toThrow('too late')
    expect(await db.selectFrom('audit_log').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([])
    await add(false)
    expect(await db.selectFrom('audit_log').selectAll().execute()).toMatchObject([
      { at: AT, actor_id: 'a1', action: 'create', before: null, after: JSON.stringify(account) },
    ])
  })

  test('a change of a zone makes a version of its policy, and one that changes nothing makes none', async () => {
    await addZone(db, 'versions')
    const all = ['zone', 'token_configurations', 'operations', 'rules'] as const
    const run = (parts: typeof all | readonly ['operations'], id?: string) =>
      changeZone(db, newId, { ...origin, zone_id: 'versions', parts }, async ({ tx }) => {
        if (id !== undefined)
          await tx.insertInto('operations').values(operation('versions', id)).execute()
      })
    await run(all)
    await run(['operations'], 'one')
    await run(['operations'])
    const newest = await readPolicy(db, 'versions')
    expect(newest?.row).toMatchObject({ version: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(newest?.parts).toMatchObject({
      zone: { id: 'versions', paused: false },
      operations: [{ operation_id: 'one', method: 'GET' }],
    })
    expect((await readPolicy(db, 'versions', 1))?.parts.operations).toEqual([])
    expect(await readPolicy(db, 'nowhere')).toBeUndefined()
  })

  test('a hundred changes of one zone at once make a hundred versions, none lost', async () => {
    await addZone(db, 'crowd')
    const add = (id: string) =>
      changeZone(
        db,
        newId,
        { ...origin, zone_id: 'crowd', parts: ['operations'] },
        async ({ tx }) => {
          await tx.insertInto('operations').values(operation('crowd', id)).execute()
        },
      )
    await Promise.all(Array.from({ length: 100 }, (_, at) => add(`op-${at}`)))
    const newest = await readPolicy(db, 'crowd')
    expect(newest?.row.version).toBe(100)
    expect(newest?.parts.operations).toHaveLength(100)
  })

  test('a zone that is gone cannot be changed', async () => {
    const gone = { ...origin, zone_id: 'gone', parts: [] }
    await expect(changeZone(db, newId, gone, async () => {})).rejects.toThrow(MissingRow)
  })

  test('secrets are sealed in the database and open after the key was rotated', async () => {
    const [older, newer] = [random(32), random(32)]
    const before = await createSealer([older], random)
    const after = await createSealer([newer, older], random)
    await db.transaction().execute(async (tx) => {
      for (let at = 0; at < 250; at++)
        await keepSecret(tx, before, { zone_id: 'z', id: `s${at}`, created_at: AT }, `secret-${at}`)
    })
    const sealed = JSON.stringify(await db.selectFrom('secrets').selectAll().execute())
    expect(sealed).not.toContain('secret-1')
    expect(await resealSecrets(db, after)).toBe(250)
    expect(await resealSecrets(db, after)).toBe(0)
    const alone = await createSealer([newer], random)
    expect([...(await openSecrets(db, alone, 'z', ['s7']))]).toEqual([['s7', 'secret-7']])
    await expect(openSecrets(db, before, 'z', ['s7'])).rejects.toMatchObject({
      code: 'unknown_key',
    })
  })
})

test('several processes may open a new file at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-open-'))
  const script = `
    import { openDatabase } from 'portcullis/management'
    import { sqliteDialect } from 'portcullis/node'
    const db = await openDatabase(sqliteDialect(process.argv[1]))
    console.log((await db.selectFrom('zones').selectAll().execute()).length)
    await db.destroy()`
  const args = ['--input-type=module', '-e', script, join(folder, 'new.db')]
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const run = promisify(execFile)
  const all = await Promise.all([1, 2, 3, 4].map(() => run(process.execPath, args, { cwd })))
  expect(all.map(({ stdout }) => stdout)).toEqual(['0\n', '0\n', '0\n', '0\n'])
  rmSync(folder, { recursive: true })
})

describe('sealing', () => {
  test('what was sealed for one row does not open for another, nor when a character is changed', async () => {
    const sealer = await createSealer([random(32)], random)
    const sealed = await sealer.seal('secret', 'zone/1')
    expect(await sealer.open(sealed, 'zone/1')).toBe('secret')
    await expect(sealer.open(sealed, 'zone/2')).rejects.toMatchObject({ code: 'tampered' })
    const flipped = sealed.slice(0, -2) + (sealed.at(-2) === 'A' ? 'B' : 'A') + sealed.slice(-1)
    await expect(sealer.open(flipped, 'zone/1')).rejects.toMatchObject({ code: 'tampered' })
  })

  test('the same secret never looks the same', async () => {
    const sealer = await createSealer([random(32)], random)
    expect(await sealer.seal('secret', 'x')).not.toBe(await sealer.seal('secret', 'x'))
  })

  test.each([[[]], [[new Uint8Array(31)]]])('a ring of %j is refused', async (ring) => {
    await expect(createSealer(ring, random)).rejects.toMatchObject({ code: 'bad_ring' })
  })
})

describe('secret keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-keys-'))
  const file = join(folder, 'secret.key')
  afterAll(() => rmSync(folder, { recursive: true }))

  test('are made once, in a file that only its owner reads, by whoever comes first', async () => {
    const rings = await Promise.all([1, 2, 3, 4].map(() => readSecretKeys(file, undefined)))
    expect(new Set(rings.map((ring) => Buffer.from(ring[0]!).toString('hex'))).size).toBe(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('a new one stands before the older ones', async () => {
    const [older] = await readSecretKeys(file, undefined)
    const ring = await addSecretKey(file)
    expect(ring).toHaveLength(2)
    expect(ring[1]).toEqual(older)
    expect(await readSecretKeys(file, '')).toEqual(ring)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('the environment wins over the file', async () => {
    const key = randomBytes(32).toString('base64url')
    expect(await readSecretKeys(file, ` ${key} `)).toHaveLength(1)
  })

  test('a file that others may read is refused, and so is text that is no key, unrepeated', async () => {
    await expect(readSecretKeys(file, 'not-a-key')).rejects.toMatchObject({ code: 'not_a_key' })
    await expect(readSecretKeys(file, 'not-a-key')).rejects.not.toThrow('not-a-key ')
    chmodSync(file, 0o644)
    await expect(readSecretKeys(file, undefined)).rejects.toMatchObject({ code: 'open_to_others' })
    expect(readFileSync(file, 'utf8')).toMatch(/^\S{43}\n\S{43}\n$/)
  })
})

test.each([
  [0, '1970-01-01T00:00:00.000000Z'],
  [AT, '2026-01-31T12:00:00.123456Z'],
])('%i µs is %s', (micros, text) => {
  expect(moment(micros)).toBe(text)
})
