import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sqliteDialect } from '../../../src/node/store/sqlite.js'

test.each([
  ['left alone by a Node in which it is an experiment that warns', '22.23.3', 0],
  ['left alone by a Node in which it warned in the beginning', '24.0.0', 0],
  ['taken by a Node in which it is finished, if it is there', '26.0.0', 1],
])('the SQLite of Node is %s', async (_what, node, asked) => {
  const { versions } = process
  const builtIn = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  Object.defineProperty(process, 'versions', { value: { ...versions, node }, configurable: true })
  onTestFinished(() => {
    builtIn.mockRestore()
    Object.defineProperty(process, 'versions', { value: versions, configurable: true })
  })
  const database = new Kysely({ dialect: sqliteDialect(':memory:') })
  const { rows } = await sql`select 1 as one`.execute(database)
  await database.destroy()
  expect(rows).toEqual([{ one: 1 }])
  expect(builtIn).toHaveBeenCalledTimes(asked)
})

interface Tables {
  readonly notes: { readonly note: string }
}

/** Two processes, as SQLite sees it: each has a connection of its own to one file. */
async function twoConnections(): Promise<readonly [Kysely<Tables>, Kysely<Tables>]> {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-sqlite-'))
  const open = () => new Kysely<Tables>({ dialect: sqliteDialect(join(folder, 'notes.db')) })
  const both = [open(), open()] as const
  onTestFinished(async () => {
    for (const each of both) await each.destroy()
    rmSync(folder, { recursive: true })
  })
  await both[0].schema.createTable('notes').addColumn('note', 'text').execute()
  return both
}

const notesIn = async (db: Kysely<Tables>) =>
  (await db.selectFrom('notes').select('note').execute()).map(({ note }) => note)

describe('while another process writes', () => {
  test.each([
    ['a statement', (db: Kysely<Tables>) => db.insertInto('notes').values({ note: 'ours' })],
    [
      'a transaction',
      (db: Kysely<Tables>) => ({
        execute: () =>
          db
            .transaction()
            .execute((tx) => tx.insertInto('notes').values({ note: 'ours' }).execute()),
      }),
    ],
  ])('%s that writes waits, and reading waits for neither', async (_what, write) => {
    const [ours, theirs] = await twoConnections()
    const done: string[] = []
    let written: Promise<unknown> | undefined
    await theirs.transaction().execute(async (tx) => {
      await tx.insertInto('notes').values({ note: 'theirs' }).execute()
      written = write(ours)
        .execute()
        .then(() => done.push('written'))
      expect(await notesIn(ours)).toEqual([])
      done.push('read')
    })
    await written
    expect(done).toEqual(['read', 'written'])
    expect(await notesIn(ours)).toEqual(['theirs', 'ours'])
  })

  test('nobody reads what a transaction that waited has not committed', async () => {
    const [ours, theirs] = await twoConnections()
    let written: Promise<unknown> | undefined
    let read: Promise<readonly string[]> | undefined
    await theirs.transaction().execute(async (tx) => {
      await tx.insertInto('notes').values({ note: 'theirs' }).execute()
      written = ours.transaction().execute(async (own) => {
        await own.insertInto('notes').values({ note: 'half' }).execute()
        read = notesIn(ours)
        await own.insertInto('notes').values({ note: 'whole' }).execute()
      })
    })
    await written
    expect(await read).toEqual(['theirs', 'half', 'whole'])
  })
})
