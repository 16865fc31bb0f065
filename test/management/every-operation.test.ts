import { serve, type ServerType } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyFor } from '../edge/token/keys.js'
import { createOutbound } from '../../src/node/outbound/index.js'
import { contractOf, type Contract } from './contract.js'
import { startIssuer, type Issuer } from './key-sets/issuer.js'
import { ACCOUNT, ADMIN, createStage, ZONE, type Stage } from './stage.js'

let stage: Stage
let server: ServerType
let contract: Contract
let base = ''
let issuer: Issuer
beforeAll(async () => {
  issuer = await startIssuer()
  issuer.publish([keyFor('ES256').jwk])
  stage = await createStage(undefined, {
    outbound: createOutbound({ allowPrivate: true }),
    allowHttpKeySets: true,
  })
  server = serve({ fetch: stage.management.fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  base = `${origin}/client/v4`
  contract = await contractOf(fetch, origin)
})
afterAll(async () => {
  stage.management.close()
  await new Promise((resolve) => server.close(resolve))
  await stage.close()
  issuer.close()
})

const Z = `/zones/${ZONE}`
const CONFIG = `${Z}/token_validation/config`
const RULES = `${Z}/token_validation/rules`
const OPERATIONS = `${Z}/api_gateway/operations`
const SCHEMAS = `${Z}/schema_validation/schemas`
const USER_SCHEMAS = `${Z}/api_gateway/user_schemas`

const policies = [
  { effect: 'allow', permission_groups: [{ id: 'gate' }], resources: { [`zone:${ZONE}`]: '*' } },
]
const keys = [keyFor('RS256').jwk, keyFor('ES256').jwk, keyFor('HS256').jwk]
const configuration = {
  title: 'Customers',
  description: '',
  token_type: 'JWT',
  token_sources: ['http.request.headers["authorization"][0]'],
  credentials: { keys },
}
const remote = () => ({ ...configuration, credentials: { jwks_uri: issuer.uri } })
const rule = { action: 'log', expression: 'ssl' }
const operation = { method: 'GET', host: 'example.com', endpoint: '/a/{id}' }
const source = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://example.com' }],
  paths: { '/carts': { get: { responses: {} } } },
})
const ENTRY_POINT = `${Z}/rulesets/phases/http_custom_errors/entrypoint`
const errorRule = {
  expression: 'http.response.code eq 522',
  action_parameters: { content: 'down', content_type: 'text/plain' },
}
const report = {
  instance: 'gate-1',
  version: 1,
  hash: 'x',
  started_at: '2026-01-31T12:00:00Z',
}

function form(): FormData {
  const fields = new FormData()
  fields.set('file', new File([source], 'shop.json'))
  fields.set('kind', 'openapi_v3')
  return fields
}

type Step = readonly [method: string, path: string, body?: unknown, keep?: string]
type BodyOf = (id: string) => unknown

/** In this order all of it is possible. A body may be made from the last `id`. `keep` is the place in the result that later steps name. */
const STEPS: readonly Step[] = [
  ['POST', '/accounts', { id: ACCOUNT, name: 'Tests' }],
  ['GET', '/accounts'],
  ['GET', `/accounts/${ACCOUNT}`],
  ['PUT', `/accounts/${ACCOUNT}`, { name: 'Renamed' }],
  ['PATCH', `/accounts/${ACCOUNT}`, { name: 'Again' }],
  ['POST', '/zones', { id: ZONE, name: 'example.com', account: { id: ACCOUNT } }],
  ['GET', '/zones'],
  ['GET', Z],
  ['PATCH', Z, { paused: false }],
  ['GET', '/user/tokens/verify'],
  ['GET', '/user/tokens/permission_groups'],
  ['POST', '/user/tokens', { name: 'one', policies }, 'id'],
  ['GET', '/user/tokens'],
  ['GET', '/user/tokens/{id}'],
  ['PUT', '/user/tokens/{id}', { name: 'two', policies }],
  ['PUT', '/user/tokens/{id}/value', {}],
  ['DELETE', '/user/tokens/{id}'],
  ['POST', OPERATIONS, [operation]],
  ['POST', `${OPERATIONS}/item`, operation, 'operation_id'],
  ['GET', OPERATIONS],
  ['GET', `${OPERATIONS}/{operation_id}`],
  [
    'POST',
    SCHEMAS,
    { kind: 'openapi_v3', name: 'x', source, validation_enabled: true },
    'schema_id',
  ],
  ['GET', SCHEMAS],
  ['GET', `${SCHEMAS}/{schema_id}`],
  ['PATCH', `${SCHEMAS}/{schema_id}`, { validation_enabled: false }],
  ['GET', USER_SCHEMAS],
  ['GET', `${USER_SCHEMAS}/{schema_id}`],
  ['PATCH', `${USER_SCHEMAS}/{schema_id}`, { validation_enabled: true }],
  ['DELETE', `${USER_SCHEMAS}/{schema_id}`],
  ['POST', USER_SCHEMAS, form()],
  [
    'POST',
    SCHEMAS,
    { kind: 'openapi_v3', name: 'y', source, validation_enabled: true },
    'schema_id',
  ],
  ['DELETE', `${SCHEMAS}/{schema_id}`],
  ['POST', CONFIG, configuration, 'id'],
  ['GET', CONFIG],
  ['GET', `${CONFIG}/{id}`],
  ['PATCH', `${CONFIG}/{id}`, { title: 'Renamed' }],
  ['PUT', `${CONFIG}/{id}/credentials`, { keys }],
  ['PATCH', `${CONFIG}/{id}/credentials`, { keys }],
  ['DELETE', `${CONFIG}/{id}`],
  ['POST', CONFIG, () => remote(), 'id'],
  [
    'POST',
    `${Z}/gate/unknown_keys`,
    (id: string) => ({ configuration_id: id, keys: [{ alg: 'ES256', kid: 'new' }] }),
  ],
  ['GET', `${CONFIG}/{id}/key_set`],
  ['POST', `${CONFIG}/{id}/key_set/refresh`],
  ['POST', RULES, rule, 'id'],
  ['POST', `${RULES}/bulk`, [rule, rule]],
  ['GET', RULES],
  ['GET', `${RULES}/{id}`],
  ['PATCH', `${RULES}/{id}`, { title: 'x', selector: null }],
  ['PATCH', `${RULES}/bulk`, []],
  ['PUT', `${RULES}/preview`, {}],
  ['POST', `${RULES}/preview`, { include: [{ host: 'example.com' }] }],
  ['DELETE', `${RULES}/{id}`],
  ['GET', `${Z}/available_plans`],
  ['GET', `${Z}/available_plans/pro`],
  ['PATCH', Z, { plan: { id: 'pro' } }],
  ['POST', `${Z}/rulesets`, { name: 'x', kind: 'zone', phase: 'http_custom_errors' }, 'id'],
  ['GET', `${Z}/rulesets`],
  ['GET', `${Z}/rulesets/{id}`],
  ['PUT', `${Z}/rulesets/{id}`, { rules: [] }],
  ['POST', `${Z}/rulesets/{id}/rules`, errorRule, 'rules.0.id'],
  ['PATCH', `${Z}/rulesets/{id}/rules/{rules.0.id}`, { enabled: false }],
  ['DELETE', `${Z}/rulesets/{id}/rules/{rules.0.id}`],
  ['PUT', ENTRY_POINT, { rules: [errorRule] }],
  ['GET', ENTRY_POINT],
  ['DELETE', `${Z}/rulesets/{id}`],
  ['PUT', `${Z}/custom_pages/1020`, { state: 'customized', content: '<!doctype html><p>No' }],
  ['GET', `${Z}/custom_pages`],
  ['GET', `${Z}/custom_pages/1020`],
  ['PUT', `${Z}/edge_errors/settings`, { name: 'Shop' }],
  ['PATCH', `${Z}/edge_errors/settings`, { footer: 'Ask us' }],
  ['GET', `${Z}/edge_errors/settings`],
  ['POST', `${Z}/edge_errors/preview`, { error_code: 522 }],
  ['GET', `${Z}/gate/settings`],
  ['PATCH', `${Z}/gate/settings`, { settings: {} }],
  ['GET', `${Z}/gate/policy`],
  ['GET', `${Z}/gate/events`],
  ['GET', `${Z}/gate/versions`],
  ['POST', `${Z}/gate/rollback`, { version: 2 }],
  ['POST', `${Z}/gate/instances`, report],
  ['GET', `${Z}/gate/instances`],
  ['GET', `${Z}/audit_log`],
  ['GET', `/accounts/${ACCOUNT}/audit_log`],
  ['GET', `/accounts/${ACCOUNT}/audit_logs`],
  ['GET', '/audit_log'],
  ['DELETE', OPERATIONS, []],
  ['POST', `${OPERATIONS}/item`, operation, 'operation_id'],
  ['DELETE', `${OPERATIONS}/{operation_id}`],
  ['DELETE', Z],
  ['DELETE', `/accounts/${ACCOUNT}`],
]

const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Record<string, unknown>)[name], value)

test('every operation of the document succeeds over HTTP, and answers as the document says', async () => {
  const kept = new Map<string, string>()
  for (const [method, template, given, keep] of STEPS) {
    const body = typeof given === 'function' ? (given as BodyOf)(kept.get('id') ?? '') : given
    const path = template.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => kept.get(name) ?? '')
    const isForm = body instanceof FormData
    const response = await contract.fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel()
    else if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    else if (keep !== undefined) {
      const { result } = (await response.json()) as { result: unknown }
      kept.set(keep, String(memberAt(result, keep)))
    }
  }
  const missed = contract.operations.filter((id) => !contract.succeeded.has(id))
  expect(missed).toEqual([])
  expect(contract.breaches).toEqual([])
})
