import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiDocument, Operation } from '../../src/management/docs/api-document.js'
import { exampleOf } from '../../src/management/docs/curl-example.js'
import { BASE, createStage, type Stage } from './stage.js'

let stage: Stage
let document: ApiDocument
let operations: readonly (Operation & {
  readonly method: string
  readonly path: string
  readonly security: readonly object[]
})[]
beforeAll(async () => {
  stage = await createStage()
  const response = await stage.management.fetch(new Request(`${BASE}/openapi.json`))
  document = (await response.json()) as ApiDocument
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(operation as (typeof operations)[number]),
      method,
      path,
    })),
  )
})
afterAll(() => stage.close())

/** Every object within a value, with the names that lead to it. */
function* objects(
  value: unknown,
  steps: readonly string[] = [],
): Generator<[readonly string[], Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return
  yield [steps, value as Readonly<Record<string, unknown>>]
  for (const [name, member] of Object.entries(value)) yield* objects(member, [...steps, name])
}

test('is valid by a validator that is not our own, as OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document) as never)
  expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1'])
})

test('every reference leads somewhere', () => {
  const broken = [...objects(document)].flatMap(([, { $ref }]) => {
    if (typeof $ref !== 'string') return []
    const found = $ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document)
    return found === undefined ? [$ref] : []
  })
  expect(broken).toEqual([])
})

test('every operation has an id of its own, an area, a summary and its security', () => {
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { operationId, tags, summary, description, security } of operations) {
    expect(operationId).toMatch(/^[a-z][A-Za-z0-9]+$/)
    expect([tags.length, summary !== '', description !== '']).toEqual([1, true, true])
    expect(security).toEqual([{ bearer: [] }])
  }
})

/** What fetches on demand does so within a budget. */
const budgeted = new Set(['/zones/{zone_id}/token_validation/config/{config_id}/key_set/refresh'])

test('every operation tells the statuses that it may answer with', () => {
  for (const { method, path, parameters = [], requestBody, responses } of operations) {
    const takesInput = requestBody !== undefined || parameters.some((one) => one.in === 'query')
    const due = [
      '200',
      ...(takesInput ? ['400'] : []),
      '401',
      '403',
      ...(path.includes('{') ? ['404'] : []),
      ...(method === 'get' ? [] : ['409']),
      ...(requestBody === undefined ? [] : ['413', '415']),
      ...(budgeted.has(path) ? ['429'] : []),
      '500',
      '503',
    ]
    const told = Object.keys(responses).filter((status) => status !== '304')
    expect([path, method, told]).toEqual([path, method, due])
  }
})

test('every variable of a path is a parameter, and no other is', () => {
  for (const { path, parameters = [] } of operations) {
    const named = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
    expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
})

describe('examples', () => {
  test('hold no secret of a key', () => {
    const examples = [...objects(document)].flatMap(([, { example, default: given }]) => [
      example,
      given,
    ])
    const members = examples.flatMap((one) =>
      [...objects(one)].flatMap(([, own]) => Object.keys(own)),
    )
    for (const secret of ['k', 'd', 'p', 'q', 'dp', 'dq', 'qi'])
      expect(members).not.toContain(secret)
  })

  test('of bodies fit the schemas that they are examples of', () => {
    const ajv = new Ajv2020({ strict: false })
    ajv.addFormat('date-time', true)
    ajv.addSchema(document, 'openapi')
    for (const { path, requestBody } of operations) {
      const schema = requestBody?.content['application/json']?.schema
      if (schema === undefined) continue
      const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/')
      const validate = ajv.compile(JSON.parse(text) as object)
      const example = exampleOf(schema, document.components.schemas)
      expect([path, validate(example), validate.errors]).toEqual([path, true, null])
    }
  })
})
