import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileEdgeErrors, createBrand } from '../../../src/edge/edge-errors/index.js'
import { catalogue, plainBrand, render } from '../../../src/edge/problem/index.js'
import { request } from './request.js'

fc.configureGlobal({ seed: 20_260_424 })

const nasty = fc.oneof(
  fc.constantFrom(
    '</style><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onload='x",
    '\n---\n',
    '\r\nset-cookie: a=b',
    '::RAY_ID::',
    '$&',
    '${x}',
    '\u0000\u001b[2J',
    '\ud800',
    '\u202e',
    '**x** [a](javascript:b)',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
const text = fc.tuple(nasty, nasty).map((parts) => parts.join(''))
const code = fc.constantFrom(...catalogue.keys())
const PAGE =
  '<p title="::ZONE::::ERROR_TITLE::">::ZONE:: ::RAY_ID:: ::TIMESTAMP:: ::ERROR_CODE:: ::CLOUDFLARE_ERROR_500S_BOX::</p>'

/** Every tag with its attributes, the values that vary taken out. */
const skeleton = (body: string): string[] =>
  [...body.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/(href|title)="[^"<>]*"/, '$1'))

describe('hostile values', () => {
  const paged = compileEdgeErrors({ pages: { '1xxx': PAGE, '5xx': PAGE } })

  test('in placeholders of a page add no element and no attribute', () => {
    const tags = skeleton(paged.answer({ code: 500, request: request() }, { now: 0 }).body)
    fc.assert(
      fc.property(code, text, text, text, (error, zone, rayId, accept) => {
        const asked = request([['accept', accept]], { host: zone, target: accept })
        const { body, headers } = paged.answer(
          { code: error, request: asked },
          { zone, rayId, now: 0 },
        )
        expect(skeleton(body)).toEqual(tags)
        for (const [, value] of headers) expect(value).toMatch(/^[\t\x20-\x7e]*$/)
      }),
      { numRuns: 500 },
    )
  })

  test('in the name and the footer of a site break out of no format', () => {
    const plain = skeleton(render(522, 'text/html', { now: 0 }).body)
    fc.assert(
      fc.property(text, text, (name, footer) => {
        const brand = createBrand({ name, footer })
        const { body } = render(522, 'text/html', { now: 0, brand })
        const tags = skeleton(body).filter((tag) => !/^<\/?span>$/.test(tag))
        expect(tags).toEqual(plain.filter((tag) => !/^<\/?span>$/.test(tag)))
        expect(brand.style).toBe(plainBrand.style)
        const markdown = render(522, 'text/markdown', { now: 0, brand }).body
        expect(markdown.split('\n')).toHaveLength(28)
        expect(
          JSON.parse(render(522, 'application/json', { now: 0, brand }).body).footer,
        ).not.toMatch(/[\p{Cc}\p{Cs}]/u)
      }),
      { numRuns: 500 },
    )
  })

  test('as logo and colours are refused, or stay within their attribute and their rule', () => {
    const data = text.map((part) => `data:image/png,${part}`)
    fc.assert(
      fc.property(
        fc.oneof(text, data),
        fc.oneof(
          text,
          text.map((part) => `#12345${part}`),
        ),
        (logo, accent) => {
          for (const branding of [{ logo }, { accent }]) {
            try {
              const brand = createBrand(branding)
              expect(brand.header).toMatch(/^<(svg|img src="data:image\/[^"<>\s]*" alt="">$)/)
              expect(brand.style).not.toMatch(/[<\\]/)
            } catch (cause) {
              expect(cause).toBeInstanceOf(TypeError)
            }
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('in a request make no rule throw', () => {
    const expression =
      'http.host matches "a+$" or http.request.uri.args["x"][0] contains "y" or lower(http.user_agent) eq "z"'
    const action_parameters = { content: 'x', content_type: 'text/plain' } as const
    const errors = compileEdgeErrors({ rules: [{ id: 'a', expression, action_parameters }] })
    fc.assert(
      fc.property(text, text, text, (host, target, agent) => {
        const asked = request([['user-agent', agent]], { host, target })
        const { by } = errors.answer({ code: 500, request: asked }, { zone: host, now: 0 })
        expect(['rule', 'default']).toContain(by)
      }),
    )
  })
})
