import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBrand } from '../../../src/edge/edge-errors/index.js'
import { sha256 } from '../../../src/edge/edge-errors/sha256.js'
import { plainBrand, render } from '../../../src/edge/problem/index.js'

const colour = fc.stringMatching(/^#[0-9a-f]{6}$/)
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** The colours of a style sheet by scheme: one or two palettes. */
function palettesOf(style: string) {
  const rules = [...style.matchAll(/:root\{([^}]*)\}/g)].map(([, rule = '']) => rule)
  return rules.map(
    (rule) => new Map([...rule.matchAll(/--(\w+):(#\w{6})/g)].map(([, k, v]) => [k, v ?? ''])),
  )
}

function luminance(text: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(text.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one = '', other = ''): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe('the look of a site', () => {
  test('that says nothing is the plain one', () => {
    expect(createBrand({})).toEqual(plainBrand)
  })

  test('can be read, whatever colours are chosen (WCAG AA)', () => {
    const some = fc.option(colour, { nil: undefined })
    fc.assert(
      fc.property(some, some, (accent, background) => {
        for (const palette of palettesOf(createBrand({ accent, background }).style))
          for (const ink of ['ink', 'soft', 'mark'])
            expect(contrast(palette.get(ink), palette.get('paper'))).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  test('has its background in light and in dark', () => {
    const palettes = palettesOf(createBrand({ background: '#10233b' }).style)
    expect(palettes.map((palette) => palette.get('paper'))).toEqual(['#10233b'])
    expect(palettesOf(createBrand({ accent: '#00aa66' }).style)).toHaveLength(2)
  })

  test('allows its own style and no other', () => {
    const brand = createBrand({ accent: '#00aa66' })
    const page = render(522, 'text/html', { now: 0, brand })
    const style = /<style>([^]*?)<\/style>/.exec(page.body)?.[1] ?? ''
    expect(style).toBe(brand.style)
    expect(new Map(page.headers).get('content-security-policy')).toContain(
      `style-src 'sha256-${hashOf(style)}'`,
    )
    expect(hashOf(plainBrand.style)).not.toBe(hashOf(style))
  })

  test('shows name and logo above the error, and its footer in every format', () => {
    const logo = 'data:image/png;base64,iVBORw0KGgo='
    const brand = createBrand({ name: 'A & B', logo, footer: 'A & B Ltd.' })
    const body = (accept: string) => render(522, accept, { now: 0, brand, footer: 'x' }).body
    expect(body('text/html')).toContain(
      `<header><img src="${logo}" alt=""><span>A &#38; B</span></header>`,
    )
    expect(body('text/html')).toContain('<footer>A &#38; B Ltd.</footer>')
    expect(JSON.parse(body('application/json'))).toMatchObject({ footer: 'A & B Ltd.' })
    expect(body('text/markdown')).toMatch(/\nA & B Ltd\.\n$/)
  })

  test.each([{ accent: 'red' }, { background: '#fff' }, { logo: 'https://a.example/x.png' }])(
    'is refused with %j',
    (branding) => {
      expect(() => createBrand(branding)).toThrow(TypeError)
    },
  )
})

test('the hash is that of SHA-256', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      (text) => sha256(text) === hashOf(text),
    ),
  )
})
