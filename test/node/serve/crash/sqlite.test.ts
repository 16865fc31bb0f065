import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { crashStory } from './story.js'

const data = mkdtempSync(join(tmpdir(), 'portcullis-crash-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

test('killed ten times on SQLite, it keeps what it acknowledged and does nothing by half', async () => {
  console.log(`SQLite: ${await crashStory({ data })}`)
}, 300_000)
