import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStage, type Stage } from './stage.js'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const BROWSER = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path))

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

test.skipIf(BROWSER !== undefined)(
  'no Chromium was found (CHROMIUM_PATH), so the API page was not opened in one',
  () => {},
)

describe.skipIf(BROWSER === undefined)('the API page in a browser', () => {
  let stage: Stage
  let server: ServerType
  let browser: Browser
  let address = ''
  beforeAll(async () => {
    stage = await createStage()
    server = serve({ fetch: stage.management.fetch, hostname: '127.0.0.1', port: 0 })
    await new Promise((resolve) => server.once('listening', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4/docs`
    // Chromium has no sandbox for the superuser.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath: BROWSER!, args })
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await new Promise((resolve) => server.close(resolve))
    await stage.close()
  })

  test.each([
    [320, 'light'],
    [320, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    '%i px wide and %s: it asks for nothing else, the console is silent, nothing sticks out',
    async (width, colorScheme) => {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 800 },
      })
      const page = await context.newPage()
      const said: string[] = []
      const asked: string[] = []
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(error.message))
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(`${address}#code-110201`)
      expect(await page.locator('#code-110201').isVisible()).toBe(true)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect([said, asked]).toEqual([[], [address]])
      await context.close()
    },
    60_000,
  )

  test.each(['light', 'dark'] as const)(
    'is accessible, %s',
    async (colorScheme) => {
      // The page's policy would keep the checker out as well.
      const context = await browser.newContext({ bypassCSP: true, colorScheme })
      const page = await context.newPage()
      await page.goto(address)
      await page.addScriptTag({ path: AXE })
      const { violations } = await page.evaluate<{ violations: Finding[] }>(
        'axe.run({ resultTypes: ["violations"] })',
      )
      expect(
        violations.map(({ id, impact, nodes }) => [id, impact, nodes.length, nodes[0]?.html]),
      ).toEqual([])
      await context.close()
    },
    120_000,
  )
})
