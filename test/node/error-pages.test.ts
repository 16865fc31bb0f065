import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateServer, type GateServer } from '../../src/node/index.js'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const hasChromium = existsSync(CHROMIUM)
if (!hasChromium) console.warn(`no Chromium at ${CHROMIUM}: the error pages are not looked at`)

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SHOTS = fileURLToPath(new URL('../../.tmp/error-pages/', import.meta.url))

const LOGO =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%209%203%22%3E%3Crect%20width=%229%22%20height=%223%22%20fill=%22teal%22/%3E%3C/svg%3E'

const page = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
<title>::ERROR_TITLE::</title><link rel="icon" href="data:,"></head><body><main><h1>::ERROR_TITLE::</h1>
::CLOUDFLARE_ERROR_500S_BOX::<p>::RAY_ID:: on ::ZONE:: at ::TIMESTAMP::</p></main></body></html>`
const content = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
<title>Sorry</title><link rel="icon" href="data:,"></head><body><main><h1>Our own words</h1></main></body></html>`

const ZONES = [
  { id: 'a', name: 'default.localhost' },
  {
    id: 'b',
    name: 'branded.localhost',
    edge_errors: {
      branding: { name: 'Acme Shop', logo: LOGO, accent: '#00aa66', background: '#10233b' },
    },
  },
  {
    id: 'c',
    name: 'accent.localhost',
    edge_errors: { branding: { name: 'A pale accent', accent: '#ffee99' } },
  },
  { id: 'd', name: 'page.localhost', edge_errors: { pages: { '5xx': page } } },
  {
    id: 'e',
    name: 'rule.localhost',
    edge_errors: {
      rules: [
        {
          id: 'r',
          expression: 'http.response.code eq 521',
          action_parameters: { content, content_type: 'text/html' },
        },
      ],
    },
  },
].map((zone) => ({ ...zone, upstream: 'http://127.0.0.1:1' }))

interface Finding {
  readonly id: string
  readonly impact: string | null
}

/** What a browser makes of a page: complaints, strange requests, and what axe finds serious. */
async function looked(at: Page, url: string) {
  const complaints: string[] = []
  const strangers: string[] = []
  at.on('console', (message) => {
    // Chromium says of every answer with an error status that it failed to load.
    if (
      message.type() === 'error' &&
      !message.text().includes('the server responded with a status')
    )
      complaints.push(message.text())
  })
  at.on('pageerror', (error) => complaints.push(error.message))
  at.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) strangers.push(request.url())
  })
  const response = await at.goto(url)
  await at.evaluate(AXE)
  const { violations } = await at.evaluate<{ violations: Finding[] }>(
    'axe.run({ resultTypes: ["violations"] })',
  )
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const overflow = await at.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  return {
    status: response?.status(),
    complaints,
    strangers,
    serious: serious.map(({ id }) => id),
    overflow,
  }
}

describe.skipIf(!hasChromium)('in a real browser', () => {
  let browser: Browser
  let server: GateServer
  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true })
    server = await startGateServer({
      policy: { zones: ZONES },
      listen: { host: '127.0.0.1', port: 0 },
    })
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close(0)
  })

  const urlOf = (host: string, path = '/') => `http://${host}:${new URL(server.url).port}${path}`

  const cases = ZONES.flatMap(({ name }) =>
    [320, 1280].flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ name, width, colorScheme })),
    ),
  )

  test.each(cases)(
    '$name is sound at $width pixels in $colorScheme',
    async ({ name, width, colorScheme }) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
      const at = await context.newPage()
      expect(await looked(at, urlOf(name))).toEqual({
        status: 521,
        complaints: [],
        strangers: [],
        serious: [],
        overflow: 0,
      })
      await at.screenshot({ path: `${SHOTS}${name}-${width}-${colorScheme}.png`, fullPage: true })
      await context.close()
    },
    60_000,
  )

  test('the trace id is selected whole by one click, and there is no script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: true })
    const at = await context.newPage()
    const response = await at.goto(urlOf('default.localhost', '/cdn-cgi/error/1020'))
    await at.click('dd code')
    expect(await at.evaluate('String(getSelection())')).toBe(response?.headers()['cf-ray'])
    expect(await at.evaluate('document.scripts.length')).toBe(0)
    await context.close()
  })

  test('the page of an error code has the look of its zone', async () => {
    const context = await browser.newContext()
    const at = await context.newPage()
    await at.goto(urlOf('branded.localhost', '/cdn-cgi/error/522'))
    expect(await at.textContent('header')).toBe('Acme Shop')
    expect(await at.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(16, 35, 59)',
    )
    expect(await at.evaluate('document.images[0].naturalWidth > 0')).toBe(true)
    await context.close()
  })
})
