import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { postgres } from '../../../management/databases.js'
import { crashStory } from './story.js'

const data = mkdtempSync(join(tmpdir(), 'portcullis-crash-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

test('killed ten times on Postgres, it keeps what it acknowledged and does nothing by half', async () => {
  const database = await postgres.address()
  console.log(`Postgres: ${await crashStory({ data, database })}`)
}, 300_000)
