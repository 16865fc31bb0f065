import { serve, type ServerType } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../src/node/outbound/index.js'
import { createZoneStage, ZONE, type Stage } from '../stage.js'

const PAGES = `/zones/${ZONE}/custom_pages`
const BOX_500 = '::CLOUDFLARE_ERROR_500S_BOX::'
const html = (body: string) => `<!doctype html><html><head></head><body>${body}</body></html>`

let stage: Stage
let site: ServerType
let origin: string
/** What the site answers by path. */
const SITE: Readonly<Record<string, () => Response>> = {
  '/page': () => page(html(`fetched ${BOX_500}`)),
  '/latin': () => page(html('x'), 'text/html; charset=iso-8859-1'),
  '/bytes': () => page(new Uint8Array([60, 97, 62, 255])),
  '/json': () => page('{}', 'application/json'),
  '/bare': () => page(html('x'), ''),
  '/huge': () => page(html('x'.repeat(131_072))),
  '/moved': () => new Response(null, { status: 302, headers: { location: '/page' } }),
  '/gone': () => new Response(html('x'), { status: 404, headers: { 'content-type': 'text/html' } }),
}
const page = (body: string | Uint8Array<ArrayBuffer>, type = 'text/html; charset="UTF-8"') =>
  new Response(body, { headers: { 'content-type': type } })

beforeAll(async () => {
  site = serve({
    fetch: ({ url }) => SITE[new URL(url).pathname]!(),
    hostname: '127.0.0.1',
    port: 0,
  })
  await new Promise((resolve) => site.once('listening', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  stage = await createZoneStage(undefined, { pageOutbound: createOutbound({ allowPrivate: true }) })
})
afterAll(async () => {
  await new Promise((resolve) => site.close(resolve))
  await stage.close()
})
afterEach(async () => {
  for (const { id } of (await stage.call('GET', PAGES)).json.list)
    await stage.call('PUT', `${PAGES}/${id}`, { state: 'default', url: '' })
})

const put = (identifier: string, content: string) =>
  stage.call('PUT', `${PAGES}/${identifier}`, { state: 'customized', content })
const inForce = async () =>
  ((await stage.management.policy(ZONE))?.zone.edge_errors as { pages?: object } | undefined)?.pages

describe('error pages', () => {
  test('are listed in the shape of clients, those of several codes always', async () => {
    const { json } = await stage.call('GET', PAGES)
    expect(json.list.map(({ id }) => id)).toEqual([
      '1000_errors',
      '500_errors',
      'ip_block',
      'ratelimit_block',
      'waf_block',
    ])
    expect(json.list[1]).toEqual({
      id: '500_errors',
      description: '500 class errors',
      required_tokens: [BOX_500],
      preview_target: 'error:5xx',
      created_on: '2026-01-31T12:00:00.000000Z',
      modified_on: '2026-01-31T12:00:00.000000Z',
      url: null,
      state: 'default',
    })
  })

  test('of a class, of a group and of a single code go to gates, the narrower one wins', async () => {
    stage.clock += 1000
    await put('1000_errors', html('all ::CLOUDFLARE_ERROR_1000S_BOX::'))
    await put('1006', html('one'))
    await put('ip_block', html('group'))
    const single = await put('502', html('bad gateway'))
    expect(single.json.result).toMatchObject({
      id: '502',
      description: 'Error 502: Bad gateway',
      state: 'customized',
      url: null,
      content: html('bad gateway'),
    })
    expect(await inForce()).toEqual({
      '1xxx': html('all ::CLOUDFLARE_ERROR_1000S_BOX::'),
      '1005': html('group'),
      '1006': html('one'),
      '1007': html('group'),
      '1008': html('group'),
      '1009': html('group'),
      '1106': html('group'),
      '502': html('bad gateway'),
    })
    const { json, text } = await stage.call('GET', PAGES)
    expect(json.list.map(({ id }) => id).slice(5)).toEqual(['1006', '502'])
    expect(text).not.toContain('bad gateway<')
  })

  test('go back to the default', async () => {
    await put('500_errors', html(BOX_500))
    const { json } = await stage.call('PUT', `${PAGES}/500_errors`, { state: 'default' })
    expect(json.result).toMatchObject({ state: 'default', url: null, content: null })
    expect(await inForce()).toBeUndefined()
  })

  test('saved again keep when they were made', async () => {
    const first = (await put('500_errors', html(BOX_500))).json.result
    stage.clock += 1000
    const second = (await put('500_errors', html(`2 ${BOX_500}`))).json.result
    expect(second['created_on']).toBe(first['created_on'])
    expect(second['modified_on']).not.toBe(first['modified_on'])
  })

  test('the log tells pages apart without holding them', async () => {
    await put('500_errors', html(`secret ${BOX_500}`))
    const { json, text } = await stage.call(
      'GET',
      `/zones/${ZONE}/audit_log?object_type=error_page&object_id=500_errors`,
    )
    const after = json.list.map((line) => line['after'])
    expect(after).toContainEqual({
      id: '500_errors',
      url: null,
      size_bytes: html(`secret ${BOX_500}`).length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(text).not.toContain('secret')
  })

  test.each([
    'managed_challenge',
    'under_attack',
    'waf_challenge',
    'country_challenge',
    'basic_challenge',
    '999',
    '01020',
    '1e3',
    'constructor',
  ])('there is none of the name %s', async (identifier) => {
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { state: 'default' } : undefined
      const { status, json } = await stage.call(method, `${PAGES}/${identifier}`, body)
      expect([status, json.errors[0]?.message]).toEqual([
        404,
        expect.stringContaining('there are 1000_errors, 500_errors'),
      ])
    }
  })

  test.each<[string, object, string]>([
    ['neither url nor content', { state: 'customized' }, ''],
    ['both', { state: 'customized', url: 'https://x.example', content: html('x') }, ''],
    ['another state', { state: 'on', content: html('x') }, '/state'],
    ['no HTML', { state: 'customized', content: 'Sorry' }, '/content'],
    ['131,073 bytes', { state: 'customized', content: `<p>${'x'.repeat(131_070)}` }, '/content'],
  ])('%s is refused', async (_, body, pointer) => {
    const { status, json } = await stage.call('PUT', `${PAGES}/1020`, body)
    expect([status, json.errors[0]?.source?.pointer]).toEqual([400, pointer])
  })

  test('131,072 bytes are taken', async () => {
    expect((await put('1020', `<p>${'x'.repeat(131_069)}`)).status).toBe(200)
  })

  test('all of a zone together are at most 1 MiB', async () => {
    const large = `<p>${'x'.repeat(131_069)}`
    const codes = ['500', '502', '504', '520', '521', '522', '523', '524']
    for (const code of codes) expect((await put(code, large)).status).toBe(200)
    const { status, json } = await put('525', html('x'))
    expect([status, json.errors[0]]).toMatchObject([
      400,
      { code: 130206, source: { pointer: '/content' } },
    ])
    expect((await stage.call('GET', `${PAGES}/525`)).json.result).toMatchObject({
      state: 'default',
    })
  })

  test.each<[string, string, string[]]>([
    ['500_errors', html(BOX_500), []],
    ['500_errors', html('x'), ['does not hold ::CLOUDFLARE_ERROR_500S_BOX::']],
    ['1020', '<p>x', ['no element <head>']],
    ['1020', html('<img alt="" src="//cdn.example/x.png">'), ['loads from elsewhere']],
    ['1020', html('<a href="https://help.example">Help</a>'), []],
    ['1020', html('::RAY_ID:: ::ERROR_CODE:: ::ZONE::'), []],
    ['1020', html('::MOON::'), ['::MOON::']],
  ])('a page for %s of %s is saved, and what is odd is told', async (id, content, told) => {
    const { status, json } = await put(id, content)
    expect([status, json.messages.map(({ message }) => message)]).toEqual([
      200,
      told.map((text) => expect.stringContaining(text)),
    ])
  })
})

describe('error pages at an address', () => {
  const fetched = (path: string) =>
    stage.call('PUT', `${PAGES}/500_errors`, { state: 'customized', url: `${origin}${path}` })

  test('are fetched when they are saved', async () => {
    const { status, json } = await fetched('/page')
    expect([status, json.messages]).toMatchObject([200, []])
    expect(json.result).toMatchObject({
      state: 'customized',
      url: `${origin}/page`,
      content: html(`fetched ${BOX_500}`),
    })
    expect(await inForce()).toEqual({ '5xx': html(`fetched ${BOX_500}`) })
  })

  test.each([
    ['/latin', 'UTF-8'],
    ['/bytes', 'UTF-8'],
    ['/json', 'text/html'],
    ['/bare', 'text/html'],
    ['/huge', 'more than 131072 bytes'],
    ['/moved', 'redirect'],
    ['/gone', '404'],
  ])('that answer as %s are refused: %s', async (path, told) => {
    const { status, json } = await fetched(path)
    expect([status, json.errors]).toMatchObject([
      400,
      [{ code: 130209, message: expect.stringContaining(told), source: { pointer: '/url' } }],
    ])
    expect(await inForce()).toBeUndefined()
  })

  test('are not fetched from the own network, or where nobody fetches', async () => {
    for (const [outbound, told] of [
      [createOutbound(), 'https://'],
      [undefined, 'send it as content'],
    ] as const) {
      const other = await createZoneStage(undefined, outbound && { pageOutbound: outbound })
      const body = { state: 'customized', url: `${origin}/page` }
      const { status, json } = await other.call('PUT', `${PAGES}/500_errors`, body)
      expect([status, json.errors[0]?.message]).toEqual([400, expect.stringContaining(told)])
      await other.close()
    }
  })
})
