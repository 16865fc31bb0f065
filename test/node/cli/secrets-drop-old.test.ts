import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createSealer, SealError } from '../../../src/management/index.js'
import {
  keepSecret,
  openDatabase,
  whileSealedAnew,
  type Database,
} from '../../../src/management/store/index.js'
import { dropOldSecretKeys, sqliteDialect } from '../../../src/node/store/index.js'
import { sealedStore, withSecretKey } from './sealed-store.js'

const { data, keyFile, keys, open, rotate, addConfiguration, secretsOf, remove } =
  await sealedStore()
afterAll(remove)

describe('secrets rotate --drop-old', () => {
  test('leaves one key, which opens everything, though a store is open all the while', async () => {
    const running = await open()
    await addConfiguration(running)
    const before = keys()
    expect(await rotate('--drop-old')).toEqual({
      code: 0,
      out: '1 secrets are sealed with the new key\nthe older keys are dropped\n',
      err: '',
    })
    expect(keys()).toHaveLength(1)
    expect(before).not.toContain(keys()[0])
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)

    await addConfiguration(running)
    expect(await secretsOf(running)).toBe(2)
    await running.close()
    const later = await open()
    expect(await secretsOf(later)).toBe(2)
    await later.close()
  })

  test('drops those of earlier rotations too', async () => {
    await rotate()
    await rotate()
    expect(keys()).toHaveLength(3)
    expect((await rotate('--drop-old')).code).toBe(0)
    expect(keys()).toHaveLength(1)
  })

  test('drops none when a secret cannot be sealed anew', async () => {
    const before = keys()
    const db = await openDatabase(sqliteDialect(join(data, 'portcullis.db')))
    const { id, sealed } = await db
      .selectFrom('secrets')
      .select(['id', 'sealed'])
      .executeTakeFirstOrThrow()
    const put = (text: string) =>
      db.updateTable('secrets').set({ sealed: text }).where('id', '=', id).execute()
    await put(sealed.replace(/\.[0-9a-f]{8}\./, '.00000000.'))
    const { code, err } = await rotate('--drop-old')
    expect([code, err]).toEqual([1, expect.stringContaining('not in the ring')])
    expect(keys()).toEqual([expect.any(String), ...before])
    await put(sealed)
    await db.destroy()
    const store = await open()
    expect(await secretsOf(store)).toBe(2)
    await store.close()
  })

  test('with the keys in the environment tells that the older ones may go', async () => {
    const fresh = Buffer.alloc(32, 7).toString('base64url')
    const file = readFileSync(keyFile, 'utf8')
    const { code, out } = await withSecretKey([fresh, ...keys()], () => rotate('--drop-old'))
    expect(code).toBe(0)
    expect(out).toContain('no secret needs the older keys of PORTCULLIS_SECRET_KEY')
    expect(readFileSync(keyFile, 'utf8')).toBe(file)
    writeFileSync(keyFile, `${fresh}\n`)
    const store = await open()
    expect(await secretsOf(store)).toBe(2)
    await store.close()
  })

  test('of a file that somebody else has added a key to drops none', async () => {
    const before = readFileSync(keyFile, 'utf8')
    const other = new Uint8Array(32).fill(9)
    await expect(dropOldSecretKeys(keyFile, other)).rejects.toMatchObject({ code: 'busy' })
    expect(readFileSync(keyFile, 'utf8')).toBe(before)
  })
})

describe('while everything is sealed anew', () => {
  const old = new Uint8Array(32).fill(1)
  const fresh = new Uint8Array(32).fill(2)
  const random = (bytes: number) => new Uint8Array(bytes).fill(3)

  async function sealedWith(ring: readonly Uint8Array[]): Promise<Database> {
    const db = await openDatabase(sqliteDialect(':memory:'))
    const row = { zone_id: 'z', id: 's', created_at: 1 }
    const sealer = await createSealer(ring, random)
    await db.transaction().execute((tx) => keepSecret(tx, sealer, row, 'secret'))
    return db
  }

  test.each([
    ['the newest key sealed all', [fresh], 0, 1],
    ['an older key sealed one', [old], 1, 0],
  ])('when %s', async (_, ring, left, runs) => {
    const db = await sealedWith(ring)
    let ran = 0
    const sealer = await createSealer([fresh, old], random)
    expect(await whileSealedAnew(db, sealer, async () => void ran++)).toBe(left)
    expect(ran).toBe(runs)
    await db.destroy()
  })

  test('a failure of what is run is told', async () => {
    const db = await sealedWith([fresh])
    const failing = async () => {
      throw new SealError('bad_ring', 'failed')
    }
    const sealer = await createSealer([fresh], random)
    await expect(whileSealedAnew(db, sealer, failing)).rejects.toThrow('failed')
    await db.destroy()
  })
})
