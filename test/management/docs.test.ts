import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDocs } from '../../src/management/docs/index.js'
import { docsAddress } from '../../src/management/http/documentation.js'
import { BASE, createStage, type Stage } from './stage.js'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

let stage: Stage
let page: Response
let text: string
const get = (path: string, headers: Record<string, string> = {}) =>
  stage.management.fetch(new Request(path, { headers }))
beforeAll(async () => {
  stage = await createStage()
  page = await get(`${BASE}/docs`)
  text = await page.text()
})
afterAll(() => stage.close())

describe('the API page', () => {
  test('needs no token, and may use nothing but its style sheet', () => {
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/)
    expect(text).not.toMatch(/<script|<img|<iframe|@import|url\(| style=| on\w+=/)
    expect(text).toMatch(/^<!doctype html>\s*<html lang="en">/i)
  })

  test('is not sent again to whoever has it', async () => {
    const tag = page.headers.get('etag') ?? ''
    const again = await get(`${BASE}/docs`, { 'if-none-match': `"other", W/${tag}` })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await get(`${BASE}/docs`, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('has a section for every endpoint and every object, and every link in it leads somewhere', async () => {
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const document = (await (await get(`${BASE}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
      components: { schemas: object }
    }
    for (const methods of Object.values(document.paths))
      for (const { operationId } of Object.values(methods)) expect(ids).toContain(operationId)
    for (const name of Object.keys(document.components.schemas))
      expect(ids).toContain(`object-${name}`)
    const links = [...text.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)
    expect(links.filter((id) => !ids.includes(id))).toEqual([])
  })

  test('has a section for every code that the sources name', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    const codesIn = (wanted: RegExp, code: RegExp) =>
      files
        .filter((file) => wanted.test(file))
        .flatMap((file) => readFileSync(SRC + file, 'utf8').match(code) ?? [])
    const codes = [
      ...codesIn(/^management\/.*codes\.ts$/, /(?<=: )\d{5,6}/g),
      ...codesIn(/^edge\/token\//, /\b110\d{3}\b/g),
    ]
    expect(codes.length).toBeGreaterThan(35)
    for (const code of codes) expect(text).toContain(` id="code-${code}"`)
  })

  test('shows text as text', async () => {
    const hostile = `<script>"&'</script>`
    const note = {
      title: hostile,
      statuses: [400],
      meaning: hostile,
      expected: '`<b>`',
      remedy: '',
    }
    const document = {
      info: { title: hostile, version: hostile, description: hostile },
      servers: [{ url: hostile }],
      paths: {
        '/{a}': {
          get: {
            operationId: 'x',
            tags: [hostile],
            summary: hostile,
            description: hostile,
            parameters: [
              { name: hostile, in: 'query', schema: { type: 'string', pattern: hostile } },
            ],
            responses: { 400: { description: hostile } },
          },
        },
      },
      components: { schemas: { X: { type: 'string', description: hostile, example: hostile } } },
    }
    const docs = createDocs([{ title: hostile, codes: [{ code: 1, ...note }] }])(document)
    const shown = await (await docs(new Request(`${BASE}/docs`))).text()
    expect(shown).not.toContain('<script')
    expect(shown).toContain('&lt;script&gt;')
    expect(shown).toContain('<code>&lt;b&gt;</code>')
  })
})

describe('the way to it', () => {
  test.each<[string, string | undefined, string]>([
    [
      'https://api.example.com/client/v4/zones',
      undefined,
      'https://api.example.com/client/v4/docs',
    ],
    ['http://127.0.0.1:8787/client/v4/zones', undefined, 'http://127.0.0.1:8787/client/v4/docs'],
    ['http://[::1]:8787/', undefined, 'http://[::1]:8787/client/v4/docs'],
    [`http://a"b'c/`, undefined, '/client/v4/docs'],
    ['http://{x}/', undefined, '/client/v4/docs'],
    [
      'http://other/',
      'https://api.example.com/client/v4',
      'https://api.example.com/client/v4/docs',
    ],
  ])('of a request to %s, with the public address %s, is %s', (url, publicUrl, address) => {
    expect(docsAddress(url, { base: '/client/v4', publicUrl })).toBe(address)
  })

  test('stands in every message, of refusals and of successes', async () => {
    const anchor = `${BASE}/docs#code-`
    const refused = await stage.call('POST', '/accounts', { name: 1 })
    expect(refused.json.errors).toMatchObject([{ documentation_url: `${anchor}10422` }])
    const told = await stage.call('POST', '/accounts', { name: 'x', colour: 'red' })
    expect(told.json.messages).toMatchObject([{ documentation_url: `${anchor}10423` }])
  })

  test('has no slash at its end: the links of the page would lead elsewhere', async () => {
    const sent = await get(`${BASE}/docs/`)
    expect([sent.status, sent.headers.get('location')]).toEqual([308, `${BASE}/docs`])
    const [, link = ''] = /href="(openapi\.json)"/.exec(text) ?? []
    expect((await get(new URL(link, `${BASE}/docs`).href)).status).toBe(200)
  })

  test.each(['http://management.test/', BASE])('is told at %s', async (address) => {
    const { result } = (await (await get(address)).json()) as { result: object }
    expect(result).toMatchObject({ documentation: `${BASE}/docs`, openapi: `${BASE}/openapi.json` })
    const sent = await get(address, { accept: 'text/html,*/*;q=0.8' })
    expect([sent.status, sent.headers.get('location')]).toEqual([302, `${BASE}/docs`])
  })
})
