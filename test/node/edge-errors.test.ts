import { describe, expect, test } from 'vitest'
import { PolicyError, type Zone } from '../../src/edge/index.js'
import { createServerGate, startGateServer } from '../../src/node/index.js'
import { closedPort, fetchFrom, upstream } from './proxy/stage.js'

const listen = { host: '127.0.0.1', port: 0 }

const rule = (expression: string) => ({
  id: 'one',
  expression,
  action_parameters: { content: '{"sorry":true}', content_type: 'application/json' },
})
const edge_errors = {
  rules: [rule('http.response.code eq 521 and http.request.uri.path eq "/api"')],
  pages: { '5xx': '<h1>Back soon</h1> ::RAY_ID::', '1020': '<h1>No</h1>' },
}
const zone = (more: Partial<Zone> = {}): Zone => ({ id: 'z', name: 'shop.example', ...more })
const policyOf = (...zones: readonly Zone[]) => ({ zones })

async function serving(policy: unknown) {
  const server = await startGateServer({ policy, listen })
  const { port } = new URL(server.url)
  return { server, port: Number(port) }
}

function issuesOf(run: () => unknown) {
  try {
    run()
  } catch (cause) {
    if (cause instanceof PolicyError) return cause.issues
  }
  return []
}

describe('a gate answers edge errors as the zone of the host says', () => {
  test('for failures of upstream', async () => {
    const upstreamUrl = `http://127.0.0.1:${await closedPort()}`
    const other = zone({ id: 'y', name: 'other.example', upstream: upstreamUrl })
    const policy = policyOf(zone({ upstream: upstreamUrl, edge_errors }), other)
    const { server, port } = await serving(policy)
    const byRule = await fetchFrom(port, { path: '/api', headers: { host: 'a.SHOP.example:80' } })
    expect(byRule).toMatchObject({ status: 521, body: '{"sorry":true}' })
    expect(byRule.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'retry-after': '120',
    })
    const byPage = await fetchFrom(port, { path: '/', headers: { accept: 'application/json' } })
    expect(byPage.body).toBe(`<h1>Back soon</h1> ${byPage.headers['cf-ray']}`)
    const headers = { host: 'other.example', accept: 'application/json' }
    expect(JSON.parse((await fetchFrom(port, { headers })).body)).toMatchObject({ error_code: 521 })
    await server.close()
  })

  test('for requests that a token rule blocks, challenge included', async () => {
    const origin = await upstream((_request, response) => response.end('never'))
    const guarded = zone({
      upstream: origin,
      settings: { unlisted_operations: 'cover' },
      token_configurations: [],
      rules: [{ action: 'block', expression: 'false' }],
      edge_errors,
    })
    const { server, port } = await serving(guarded)
    expect(await fetchFrom(port)).toMatchObject({ status: 403, body: '<h1>No</h1>' })
    expect(await fetchFrom(port, { method: 'HEAD' })).toMatchObject({ status: 403, body: '' })
    await server.close()
  })

  test('but leaves the errors of an origin as they are', async () => {
    const raw = ['X-A', '1', 'x-a', '2', 'Content-Length', '3', 'Date', 'today']
    const origin = await upstream((_request, response) => {
      response.sendDate = false
      response.writeHead(521, 'Mine', raw).end('own')
    })
    const { server, port } = await serving(zone({ upstream: origin, edge_errors }))
    const reply = await fetchFrom(port, { path: '/api' })
    expect(reply).toMatchObject({ status: 521, reason: 'Mine', body: 'own' })
    expect(reply.rawHeaders.slice(0, raw.length)).toEqual(raw)
    await server.close()
  })
})

describe('a policy whose edge_errors do not compile', () => {
  const bad = { rules: [rule('http.nonsense eq 1')] }

  test('is refused as other faults are', () => {
    expect(issuesOf(() => createServerGate(zone({ edge_errors: bad })))).toMatchObject([
      { code: 'unknown_field', pointer: '/edge_errors/rules/0/expression', line: 1, column: 1 },
    ])
  })

  test('is refused with all that is wrong in it', () => {
    const rules = [{ action: 'block', expression: '(' }] as const
    const policy = policyOf(zone(), zone({ id: 'y', name: 'b.example', rules, edge_errors: bad }))
    expect(issuesOf(() => createServerGate(policy)).map(({ pointer }) => pointer)).toEqual([
      '/zones/1/rules/0/expression',
      '/zones/1/edge_errors/rules/0/expression',
    ])
  })

  test.each([5, null, { Ip: 5 }, { Ip: { office: 5 } }])(
    'is told of by its place beside lists that are none: %j',
    async (lists) => {
      const gate = createServerGate(zone())
      const own = { rules: [rule('ip.src in $office')] }
      const next = { ...zone({ edge_errors: own }), lists }
      await expect(gate.replaceGradually(next, () => undefined)).rejects.toMatchObject({
        issues: [{ code: 'unknown_list', pointer: '/edge_errors/rules/0/expression' }],
      })
    },
  )

  test('changes nothing in a running gate', () => {
    const gate = createServerGate(zone({ edge_errors }))
    const before = gate.errorsOf('shop.example')
    expect(() => gate.replace(zone({ edge_errors: bad }))).toThrow(PolicyError)
    expect(() => gate.replace({ ...zone({ edge_errors: {} }), rules: 7 })).toThrow(PolicyError)
    expect(gate.epoch).toBe(1)
    expect(gate.errorsOf('shop.example')).toBe(before)
  })

  test('changes nothing when it is put in force little by little', async () => {
    const gate = createServerGate(zone({ edge_errors }))
    const pause = () => undefined
    const before = gate.errorsOf('shop.example')
    await expect(gate.replaceGradually(zone({ edge_errors: bad }), pause)).rejects.toThrow(
      PolicyError,
    )
    await expect(gate.replaceGradually({ id: 'z', edge_errors: {} }, pause)).rejects.toThrow(
      PolicyError,
    )
    expect(gate.errorsOf('shop.example')).toBe(before)
    expect(await gate.replaceGradually(zone({ edge_errors: {} }), pause)).toBe(true)
    expect(gate.errorsOf('shop.example')).not.toBe(before)
    expect(gate.epoch).toBe(2)
  })

  test('never takes the place of a newer one, though it ends later', async () => {
    const gate = createServerGate(zone())
    let goOn: (() => void) | undefined
    const paused = new Promise<void>((resolve) => (goOn = resolve))
    const older = gate.replaceGradually(zone({ edge_errors: {} }), () => paused)
    gate.replace(zone({ edge_errors }))
    const newer = gate.errorsOf('shop.example')
    goOn?.()
    await older
    expect(gate.errorsOf('shop.example')).toBe(newer)
  })

  test('is put right by the next one', () => {
    const gate = createServerGate(zone({ edge_errors }))
    gate.replace(zone())
    const request = {
      method: 'GET',
      host: 'shop.example',
      target: '/',
      header: () => undefined,
      headers: () => [],
    }
    expect(gate.errorsOf('shop.example').answer({ code: 521, request }, { now: 0 }).by).toBe(
      'default',
    )
    expect(gate.epoch).toBe(2)
  })
})

test('what is odd in edge_errors is among the notices, once', () => {
  const gate = createServerGate({
    ...zone({ edge_errors: { pages: { '1xxx': '::WHAT::' } } }),
    nonsense: 1,
  })
  expect(gate.notices).toMatchObject([
    { code: 'unknown_member', pointer: '/nonsense' },
    { code: 'unknown_placeholder', pointer: '/edge_errors/pages/1xxx' },
  ])
})
