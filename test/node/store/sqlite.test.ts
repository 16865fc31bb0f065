import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
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
