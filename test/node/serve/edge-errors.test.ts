import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgedFetch } from '../../management/contract.js'
import { startServing, stopServing, through, type Serving } from './serving.js'

const data = mkdtempSync(join(tmpdir(), 'portcullis-errors-'))
const HOST = 'shop.example'
const TOKEN = 'an-administrator-of-the-tests'

let serving: Serving
let api: typeof fetch
beforeAll(async () => {
  serving = await startServing(data, [], { PORTCULLIS_API_TOKEN: TOKEN })
  api = judgedFetch(serving.origin)
})
afterAll(async () => {
  await stopServing(serving)
  rmSync(data, { recursive: true, force: true })
})

async function call(method: string, path: string, body: object) {
  const response = await api(`${serving.origin}/client/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { result, errors } = (await response.json()) as {
    readonly result: { readonly id: string; readonly status: number; readonly body: string }
    readonly errors: readonly { readonly message: string }[]
  }
  return { status: response.status, result, errors }
}

test('what is saved and acknowledged answers in the gate, as the preview said', async () => {
  await call('POST', '/accounts', { id: 'acme', name: 'Acme' })
  // Nothing listens there: the gate makes a 521.
  const zone = { name: HOST, account: { id: 'acme' }, upstream: 'http://127.0.0.1:1' }
  const { result } = await call('POST', '/zones', { ...zone, plan: { id: 'pro' } })
  const path = `/zones/${result.id}`
  const asked = async (accept: string) => {
    const { status, body } = await through(serving, HOST, '/', { accept })
    const shown = await call('POST', `${path}/edge_errors/preview`, { error_code: 521, accept })
    return { status, body, previewed: [shown.result.status, shown.result.body] }
  }

  const before = await asked('application/json')
  expect([before.status, before.previewed[0], JSON.parse(before.body)]).toMatchObject([
    521,
    521,
    { error_code: 521 },
  ])

  const page = { state: 'customized', content: '<p>Back soon' }
  expect((await call('PUT', `${path}/custom_pages/500_errors`, page)).status).toBe(200)
  expect(await asked('application/json')).toEqual({
    status: 521,
    body: '<p>Back soon',
    previewed: [521, '<p>Back soon'],
  })

  const rule = {
    expression:
      'http.response.code eq 521 and any(http.request.headers["accept"][*] eq "text/plain")',
    action_parameters: { content: 'down', content_type: 'text/plain', status_code: 503 },
  }
  const rules = `${path}/rulesets/phases/http_custom_errors/entrypoint`
  expect((await call('PUT', rules, { rules: [rule] })).status).toBe(200)
  expect(await asked('text/plain')).toEqual({ status: 503, body: 'down', previewed: [503, 'down'] })
  expect((await asked('text/html')).body).toBe('<p>Back soon')

  await call('PATCH', path, { plan: { id: 'free' } })
  expect((await asked('text/plain')).body).toBe('<p>Back soon')
})

test('a page is fetched from outside only', async () => {
  const { result } = await call('POST', '/zones', { name: 'b.example', account: { id: 'acme' } })
  for (const url of ['http://127.0.0.1:1/', 'https://127.0.0.1:1/', 'https://169.254.169.254/']) {
    const body = { state: 'customized', url }
    const refused = await call('PUT', `/zones/${result.id}/custom_pages/500_errors`, body)
    expect([refused.status, refused.errors[0]?.message]).toEqual([
      400,
      expect.stringMatching(/not fetched: (?:expected a URL|the host is at no public address)/),
    ])
  }
})
