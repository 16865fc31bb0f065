import { expect, test } from 'vitest'
import { ReadingError, type DocumentReader } from '../../src/management/index.js'
import { createZoneStage, ZONE, type Stage } from './stage.js'

const SCHEMAS = `/zones/${ZONE}/schema_validation/schemas`
const body = { kind: 'openapi_v3', name: 'n', source: 'text', validation_enabled: false }

async function withReader(
  readDocument: DocumentReader,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage = await createZoneStage(undefined, { readDocument })
  await run(stage)
  await stage.close()
}

test('documents are read by the reader that is given, with the facts of the zone', async () => {
  const asked: unknown[] = []
  const reader: DocumentReader = async (text, zone) => {
    asked.push([text, zone])
    const match_key = 'k'
    const operation = { method: 'GET', host: 'example.com', endpoint: '/a', match_key }
    const warning = { code: 120304, message: 'left out', source: { pointer: '/paths/~1b' } }
    return { operations: [operation], warnings: [warning] }
  }
  await withReader(reader, async (stage) => {
    const { status, json } = await stage.call('POST', SCHEMAS, body)
    expect(status).toBe(200)
    expect(json.messages).toMatchObject([
      { code: 120304, source: { pointer: '/source/paths/~1b' } },
    ])
    const facts = { name: 'example.com', mergeSlashes: true }
    expect(asked).toEqual([['text', facts]])
    expect(await stage.management.importOperations(ZONE, 'of the command line')).toMatchObject({
      added: 0,
      warnings: [{ code: 120304, source: { pointer: '/paths/~1b' } }],
    })
  })
})

test.each([
  ['slow', 400, 120200, '/source', /too long/],
  ['large', 400, 120200, '/source', /too much memory/],
  ['busy', 503, 10503, undefined, /too many documents/],
] as const)('a reader that gives up (%s) is told of with %i', async (...row) => {
  const [fault, status, code, pointer, text] = row
  const reader: DocumentReader = async () => {
    throw new ReadingError(fault)
  }
  await withReader(reader, async (stage) => {
    const answer = await stage.call('POST', SCHEMAS, body)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '5' : null)
    const [error] = answer.json.errors
    expect([error?.code, error?.source?.pointer]).toEqual([code, pointer])
    expect(error?.message).toMatch(text)
    expect((await stage.call('GET', SCHEMAS)).json.list).toEqual([])
  })
})
