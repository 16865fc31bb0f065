import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contrast } from '../../../src/management/edge-errors/contrast.js'
import { createZoneStage, ZONE, type Stage } from '../stage.js'

const SETTINGS = `/zones/${ZONE}/edge_errors/settings`
const PLAIN = { name: null, logo: null, accent: null, background: null, footer: null }
const SVG = 'data:image/svg+xml,%3Csvg%20xmlns=%27http://www.w3.org/2000/svg%27/%3E'

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())

const inForce = async () => (await stage.management.policy(ZONE))?.zone.edge_errors

describe('the look of the default error page', () => {
  test('is plain, set as a whole, changed in parts, and plain again', async () => {
    expect((await stage.call('GET', SETTINGS)).json.result).toEqual(PLAIN)
    const look = { name: 'Shop', logo: SVG, background: '#FFFFFF', footer: 'Shop Ltd' }
    const set = await stage.call('PUT', SETTINGS, look)
    expect([set.status, set.json.result]).toEqual([200, { ...PLAIN, ...look }])
    expect(await inForce()).toEqual({ branding: look })

    const changed = await stage.call('PATCH', SETTINGS, { accent: '#0055aa', footer: null })
    const after = { ...PLAIN, ...look, accent: '#0055aa', footer: null }
    expect(changed.json.result).toEqual(after)
    expect((await stage.call('GET', SETTINGS)).json.result).toEqual(after)

    expect((await stage.call('PUT', SETTINGS, {})).json.result).toEqual(PLAIN)
    expect(await inForce()).toBeUndefined()
  })

  test.each<[string, object, string]>([
    ['a member nobody knows', { colour: '#ffffff' }, ''],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, '/name'],
    ['an empty name', { name: '' }, '/name'],
    ['a footer of 501 characters', { footer: 'x'.repeat(501) }, '/footer'],
    ['a colour by name', { accent: 'red' }, '/accent'],
    ['a short colour', { background: '#fff' }, '/background'],
    ['a colour that goes on', { background: '#ffffff;x:y' }, '/background'],
    ['a logo from elsewhere', { logo: 'https://shop.example/logo.png' }, '/logo'],
    ['a logo that is a page', { logo: 'data:text/html,x' }, '/logo'],
    ['a logo that ends its attribute', { logo: 'data:image/png,x" onload="y' }, '/logo'],
    ['a logo of 49,153 characters', { logo: 'data:image/png,'.padEnd(49_153, 'x') }, '/logo'],
  ])('%s is refused', async (_, body, pointer) => {
    const { status, json } = await stage.call('PATCH', SETTINGS, body)
    expect([status, json.errors[0]?.source?.pointer]).toEqual([400, pointer])
    expect((await stage.call('GET', SETTINGS)).json.result).toEqual(PLAIN)
  })

  test.each([
    [{ background: '#ffffff', accent: '#767676' }, []],
    [{ background: '#ffffff', accent: '#777777' }, ['4.47']],
    [{ background: '#101010', accent: '#202020' }, ['1.16']],
    [{ background: '#7a7a7a' }, []],
    [{ accent: '#ffdd00' }, []],
  ])('colours %j that are shown otherwise are told of', async (colours, ratios) => {
    const { status, json } = await stage.call('PUT', SETTINGS, colours)
    expect([status, json.messages]).toMatchObject([
      200,
      ratios.map((ratio) => ({
        code: 130304,
        message: expect.stringContaining(`with the background is ${ratio},`),
        source: { pointer: '/accent' },
      })),
    ])
    await stage.call('PUT', SETTINGS, {})
  })

  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#00ff00', 2.91],
  ])('the contrast of %s and %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2)
    expect(contrast(other, one)).toBe(contrast(one, other))
  })
})
