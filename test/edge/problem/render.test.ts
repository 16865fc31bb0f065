import { createHash } from 'node:crypto'
import { describe as suite, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  catalogue,
  describe,
  render,
  renderPlain,
  respond,
  toResponse,
  type ProblemContext,
} from '../../../src/edge/problem/index.js'

const CONTEXT: ProblemContext = {
  zone: 'shop.example.com',
  rayId: '9f140b785e57c458',
  now: Date.UTC(2026, 3, 24, 9, 22, 40),
}
const FORMS = [
  'text/html',
  'application/json',
  'application/problem+json',
  'text/markdown',
] as const

function headersOf(accept: string | null, code = 1020, context: ProblemContext = CONTEXT) {
  return new Map(render(code, accept, context).headers)
}

suite('the JSON form', () => {
  test('is the problem object, one line and one line feed', () => {
    const { body, problem } = render(1015, 'application/json', CONTEXT)
    expect(body).toBe(`${JSON.stringify(describe(1015, CONTEXT))}\n`)
    expect(JSON.parse(body)).toEqual(problem)
  })

  test('is the same to the byte as problem+json', () => {
    for (const code of catalogue.keys()) {
      expect(render(code, 'application/problem+json', CONTEXT).body).toBe(
        render(code, 'application/json', CONTEXT).body,
      )
    }
  })
})

suite('the Markdown form', () => {
  test('reads as documented', () => {
    expect(render(1015, 'text/markdown', CONTEXT).body).toBe(`---
error_code: 1015
error_name: rate_limited
error_category: rate_limit
status: 429
ray_id: 9f140b785e57c458
timestamp: 2026-04-24T09:22:40Z
zone: shop.example.com
cloudflare_error: true
retryable: true
retry_after: 30
owner_action_required: false
---

# Error 1015: You are being rate limited

## What Happened

Your client sent more requests than this site allows. The cause is your client, not the site or the edge.

## What You Should Do

**Wait 30 seconds, then retry.** Send fewer requests, and wait longer each time this happens again.

---

Answered by Portcullis on behalf of the operator of this site.
`)
  })

  test.each([
    ['12e4567890123456', '"12e4567890123456"'],
    ['e054094404022617', '"e054094404022617"'],
    ['1234567890123456', '"1234567890123456"'],
    ['0b01010101010101', '"0b01010101010101"'],
    ['9f140b785e57c458', '9f140b785e57c458'],
    ['e123456789012345', '"e123456789012345"'],
  ])('writes the ray id %s as %s', (rayId, written) => {
    const { body } = render(1020, 'text/markdown', { ...CONTEXT, rayId })
    expect(body).toContain(`\nray_id: ${written}\n`)
  })

  test.each([
    ['null', '"null"'],
    ['NO', '"no"'],
    ['y', '"y"'],
    ['off', '"off"'],
    ['127.0.0.1', '"127.0.0.1"'],
    ['0x1f', '"0x1f"'],
    ['0o17', '"0o17"'],
    ['1_000', '"1_000"'],
    ['2026-04-24', '"2026-04-24"'],
    ['[::1]', '"[::1]"'],
    ['---', '"---"'],
    ['.inf', '".inf"'],
    ['1.example.com', '1.example.com'],
    ['nullable.example.com', 'nullable.example.com'],
  ])('writes the zone %s as %s', (zone, written) => {
    const { body } = render(1020, 'text/markdown', { ...CONTEXT, zone })
    expect(body).toContain(`\nzone: ${written}\n`)
    for (const version of ['1.1', '1.2'] as const) {
      const front = body.split('---\n').slice(1, -2).join('---\n')
      expect(parse(front, { version }).zone).toBe(zone.toLowerCase())
    }
  })

  test('keeps markup out of the footer', () => {
    const footer = '# [x](javascript:alert(1)) <b> *a* _b_ `c` | \\'
    const { body } = render(1020, 'text/markdown', { ...CONTEXT, footer })
    const last = body.trimEnd().split('\n').at(-1)
    expect(last).toBe('\\# \\[x\\](javascript:alert(1)) \\<b> \\*a\\* \\_b\\_ \\`c\\` \\| \\\\')
  })

  test.each(['---', '===', '- a', '+ a', '1. a', '12) a', '> a', '~~~'])(
    'lets the footer %j start no block',
    (footer) => {
      const { body } = render(1020, 'text/markdown', { ...CONTEXT, footer })
      expect(body.trimEnd().split('\n').at(-1)).toMatch(/^[0-9]*\\/)
    },
  )
})

suite('the page', () => {
  const page = render(1015, 'text/html', CONTEXT)

  test('may use the style sheet of its policy and nothing else', () => {
    const style = /<style>([^]*?)<\/style>/.exec(page.body)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headersOf('text/html').get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
    )
  })

  test('loads nothing and runs nothing', () => {
    expect(page.body).not.toMatch(
      /<script|<img|<iframe|@import|\bsrc=|\son[a-z]+=|style=|http-equiv/i,
    )
    expect(page.body).not.toContain('url(')
    expect([...page.body.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual([
      'data:,',
      'https://shop.example.com/cdn-cgi/error/1015',
    ])
  })

  test('is in English, not for search engines, for small screens, in light and dark', () => {
    expect(page.body).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page.body).toContain('<meta name="robots" content="noindex">')
    expect(page.body).toContain('<meta name="viewport" content="width=device-width">')
    expect(page.body).toContain('color-scheme:light dark')
    expect(page.body).toContain('prefers-color-scheme:dark')
  })

  test('has landmarks and one heading of the first rank', () => {
    for (const element of ['header', 'main', 'footer', 'h1', 'dl', 'ol', 'title']) {
      expect(page.body.split(`<${element}>`)).toHaveLength(2)
      expect(page.body.split(`</${element}>`)).toHaveLength(2)
    }
    expect(page.body).toContain('<svg aria-hidden="true" ')
  })

  test('has enough contrast for text in both schemes (WCAG AA)', () => {
    const schemes = [
      ...page.body.matchAll(
        /--paper:(#\w{6});--ink:(#\w{6});--soft:(#\w{6});[^}]*--mark:(#\w{6})/g,
      ),
    ]
    expect(schemes).toHaveLength(2)
    for (const [, paper = '', ...inks] of schemes) {
      for (const ink of inks) expect(contrast(paper, ink)).toBeGreaterThan(4.5)
    }
  })

  test('moves nothing, for who prefers that', () => {
    expect(page.body).not.toMatch(/animation|transition|@keyframes|scroll-behavior/)
  })

  test.each([
    [1015, 'Your client'],
    [500, 'The edge'],
    [1020, 'The site'],
    [522, 'The site'],
  ])('of %i names %s as the cause', (code, station) => {
    const { body } = render(code, 'text/html', CONTEXT)
    expect(body.split('<span>Cause</span>')).toHaveLength(2)
    expect(body).toContain(`<li class="cause">${station} <span>Cause</span>`)
  })

  test('stays small', () => {
    for (const code of catalogue.keys()) {
      expect(render(code, 'text/html', CONTEXT).body.length).toBeLessThan(6000)
    }
  })
})

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast ratio of two colours, WCAG 2. */
function contrast(one: string, two: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(two)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

suite('all forms', () => {
  test('state the same facts, for every code', () => {
    for (const code of catalogue.keys()) {
      const { problem } = render(code, 'application/json', CONTEXT)
      for (const form of FORMS) {
        const { body, status } = render(code, form, CONTEXT)
        expect(status).toBe(problem.status)
        const { error_code, error_name, error_category, ray_id, zone, timestamp } = problem
        for (const fact of [
          error_code,
          error_name,
          error_category,
          ray_id,
          zone,
          timestamp,
          status,
        ])
          expect(body).toContain(String(fact))
        expect(body).toContain(problem.detail)
        expect(body).toContain(problem.what_you_should_do.replace(/^\*\*.*\*\* /, ''))
        expect(body).toContain(problem.footer)
        if (problem.retry_after !== undefined)
          expect(body).toMatch(new RegExp(`(retry_after"?: ?|After )${problem.retry_after}\\b`))
        expect(body).toMatch(/[^\n]\n$/)
      }
    }
  })
})

suite('the headers', () => {
  test.each(FORMS)('of %s are complete', (form) => {
    const { body, headers } = render(1015, form, CONTEXT)
    const map = new Map(headers)
    expect(Object.fromEntries(map)).toEqual({
      'content-type': `${form}; charset=utf-8`,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'private, no-store',
      'content-language': 'en',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cf-ray': '9f140b785e57c458',
      'retry-after': '30',
      vary: 'Accept',
      ...(form === 'text/html' && {
        'content-security-policy': map.get('content-security-policy'),
      }),
    })
    expect(map.size).toBe(headers.length)
  })

  test('have Retry-After exactly when the code is retryable, equal to the member', () => {
    for (const code of catalogue.keys()) {
      for (const retryAfter of [undefined, '77']) {
        const { problem, headers } = render(code, 'application/json', { ...CONTEXT, retryAfter })
        const expected = problem.retry_after === undefined ? undefined : String(problem.retry_after)
        expect(new Map(headers).get('retry-after')).toBe(expected)
      }
    }
  })

  test('carry the site of the ray id, which the body leaves out', () => {
    const rendered = render(1020, null, { ...CONTEXT, rayId: '9f140b785e57c458-SJC' })
    expect(new Map(rendered.headers).get('cf-ray')).toBe('9f140b785e57c458-SJC')
    expect(rendered.problem.ray_id).toBe('9f140b785e57c458')
  })

  test('name the same new ray id as the body', () => {
    const rendered = render(1020, null, { now: 0 })
    expect(new Map(rendered.headers).get('cf-ray')).toBe(rendered.problem.ray_id)
  })

  test.each(['Größe ☃ 😀', 'é'.repeat(30_000)])('count bytes, not characters', (footer) => {
    const { body, headers } = render(1020, 'text/html', { ...CONTEXT, footer })
    expect(new Map(headers).get('content-length')).toBe(String(Buffer.byteLength(body)))
  })

  test('take more lines from the caller, some of them more than once', () => {
    const headers = [
      ['WWW-Authenticate', 'Bearer error="invalid_token"'],
      ['www-authenticate', 'Basic'],
    ] as const
    const response = respond(1020, new Request('https://a.example/'), { ...CONTEXT, headers })
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token", Basic')
  })

  test.each([
    ['content-type', 'text/plain'],
    ['Content-Length', '0'],
    ['Retry-After', '1'],
    ['cf-ray', 'x'],
    ['Content-Security-Policy', '*'],
    ['transfer-encoding', 'chunked'],
    ['x y', 'z'],
    ['', 'z'],
    ['x:', 'z'],
    ['x-a', 'a\r\nset-cookie: b'],
    ['x-a', 'a\u0000b'],
    ['x-a', '☃'],
  ])('do not take %j: %j', (name, value) => {
    const plain = render(1020, null, CONTEXT)
    expect(render(1020, null, { ...CONTEXT, headers: [[name, value]] }).headers).toEqual(
      plain.headers,
    )
  })

  test.each([
    ['Origin', 'Accept, Origin'],
    ['accept', 'Accept'],
    ['Origin, ACCEPT,', 'Accept, Origin'],
  ])('merge Vary: %s to %s', (value, merged) => {
    expect(headersOf(null, 1020, { ...CONTEXT, headers: [['Vary', value]] }).get('vary')).toBe(
      merged,
    )
  })
})

suite('respond', () => {
  test('reads Accept and Host of the request', async () => {
    const headers = new Headers({ accept: 'application/json', host: 'Shop.example.com:444' })
    const response = respond(1020, { method: 'GET', headers }, { now: 0 })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error_code: 1020, zone: 'shop.example.com' })
  })

  test.each(FORMS)('answers HEAD like GET without the body (%s)', async (accept) => {
    const answer = (method: string) =>
      respond(522, new Request('https://a.example/', { method, headers: { accept } }), CONTEXT)
    const [get, head] = [answer('GET'), answer('HEAD')]
    expect([...head.headers]).toEqual([...get.headers])
    expect(head.status).toBe(get.status)
    expect(await head.text()).toBe('')
    expect((await get.text()).length).toBe(Number(get.headers.get('content-length')))
  })

  test('can send every code of the catalogue', () => {
    for (const code of catalogue.keys()) {
      const response = respond(code, new Request('https://a.example/'), CONTEXT)
      expect(response.status).toBe(catalogue.get(code)?.status)
    }
  })
})

suite('a problem without a code', () => {
  const kind = { status: 404, title: 'Not Found', detail: 'Nothing here.', advice: '**Go.** Away.' }

  test.each(FORMS)('claims none (%s)', (form) => {
    const { body, status } = renderPlain(kind, form, CONTEXT)
    expect(status).toBe(404)
    expect(body).not.toMatch(/error_|cloudflare|Error [0-9]|cdn-cgi/)
    expect(body).toContain('Not Found')
    expect(body).toContain('Nothing here.')
    expect(body).toContain('9f140b785e57c458')
  })

  test('is about:blank (RFC 9457 4.2.1)', async () => {
    const rendered = renderPlain(kind, 'application/problem+json', CONTEXT)
    expect(rendered.problem).toMatchObject({ type: 'about:blank', title: 'Not Found', status: 404 })
    expect(await toResponse(rendered, 'GET').json()).toEqual(rendered.problem)
  })
})
