import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  catalogue,
  parseProblem,
  respond,
  type ProblemContext,
} from '../../../src/edge/problem/index.js'

const CONTEXT: ProblemContext = { zone: 'shop.example', now: Date.UTC(2026, 3, 24, 9, 22, 40) }
const FORMS = ['application/json', 'application/problem+json', 'text/markdown']

function answered(code: number, accept: string, more: Partial<ProblemContext> = {}): Response {
  const request = new Request('https://shop.example/', { headers: { accept } })
  return respond(code, request, { ...CONTEXT, ...more })
}

const response = (body: BodyInit | null, type = 'application/json'): Response =>
  new Response(body, { headers: { 'content-type': type } })

describe('parseProblem', () => {
  test.each(FORMS)('reads every code of the catalogue back from %s', async (accept) => {
    for (const [code, kind] of catalogue) {
      expect(await parseProblem(answered(code, accept))).toMatchObject({
        error_code: code,
        error_name: kind.name,
        error_category: kind.category,
        status: kind.status,
        zone: 'shop.example',
        timestamp: '2026-04-24T09:22:40Z',
        title: kind.title,
        detail: kind.detail,
        retryable: kind.retryAfter !== undefined,
        retry_after: kind.retryAfter ?? null,
        owner_action_required: kind.ownerActionRequired,
      })
    }
  })

  test('reads the same from all of them, whatever the trace id looks like', async () => {
    for (const rayId of ['12e4567890123456', '1234567890123456', '9f140b785e57c458']) {
      const [one, ...others] = await Promise.all(
        FORMS.map((accept) => parseProblem(answered(1015, accept, { rayId, retryAfter: 7 }))),
      )
      expect(one).toMatchObject({ ray_id: rayId, retry_after: 7 })
      for (const other of others) expect(other).toEqual(one)
    }
  })

  test('takes null for retry_after, which the format allows', async () => {
    const body = { cloudflare_error: true, error_code: 1015, status: 429, retryable: true }
    const read = await parseProblem(response(JSON.stringify({ ...body, retry_after: null })))
    expect(read).toMatchObject({ retryable: true, retry_after: null })
  })

  test.each<[string, Response]>([
    ['a page', answered(1015, 'text/html')],
    ['no body', response(null)],
    ['no media type', new Response('{}', { headers: { 'content-type': '' } })],
    ['JSON of an origin', response('{"error_code":1015,"status":429,"retryable":true}')],
    ['JSON null', response('null')],
    ['a list', response('[1]')],
    ['a code that is text', response('{"cloudflare_error":true,"error_code":"1015"}')],
    ['broken JSON', response('{"cloudflare_error":')],
    ['bytes that are no UTF-8', response(new Uint8Array([0x22, 0xff, 0x22]))],
    ['other Markdown', response('---\na: b\n---\n# x\n', 'text/markdown')],
    ['bad front matter', response('---\na: "\\x"\n---\n\n# x\n', 'text/markdown')],
    ['a body without end', response(endless())],
    ['a body that breaks off', response(broken())],
  ])('gives null for %s', async (_what, given) => {
    expect(await parseProblem(given)).toBeNull()
  })

  test('never rejects', async () => {
    const type = fc.constantFrom(...FORMS)
    const members = fc.dictionary(
      fc.constantFrom('error_code', 'status', 'retryable', 'cloudflare_error', '__proto__', 'zone'),
      fc.jsonValue(),
    )
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      members.map((each) => JSON.stringify(each)),
    )
    await fc.assert(
      fc.asyncProperty(body, type, async (text, media) => {
        const read = await parseProblem(response(text, media))
        if (read !== null) expect(typeof read.retryable).toBe('boolean')
      }),
    )
  })

  test('is linear in what it reads', async () => {
    const heads = '\n---\n\n# a\n\n## What Happened\n\n'.repeat(900)
    const advice = '\n\n## What You Should Do\n\n'.repeat(900)
    for (const text of [
      `---\n${heads}${advice}`,
      `---\n${'a: b\n'.repeat(9000)}`,
      `---\na: ${"'".repeat(60_000)}`,
    ]) {
      const before = performance.now()
      expect(await parseProblem(response(text, 'text/markdown'))).toBeNull()
      expect(performance.now() - before).toBeLessThan(1000)
    }
  })
})

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1024).fill(32)) })
}

function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (to) => to.error(new Error('reset')) })
}
