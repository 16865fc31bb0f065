import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readPolicy } from '../../src/management/store/index.js'
import { createZoneStage, ZONE, type Answer, type Item, type Stage } from './stage.js'

const OPERATIONS = `/zones/${ZONE}/api_gateway/operations`
const SCHEMAS = `/zones/${ZONE}/schema_validation/schemas`
const USER_SCHEMAS = `/zones/${ZONE}/api_gateway/user_schemas`

let stage: Stage
beforeAll(async () => {
  stage = await createZoneStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  await stage.db.deleteFrom('operations').execute()
  await stage.db.deleteFrom('api_schemas').execute()
})

const ok = { responses: { 200: { description: 'ok' } } }
const shop = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths: {
    '/carts': { get: ok, post: ok, parameters: [] },
    '/carts/{id}': { delete: ok },
  },
}

const upload = (source: unknown, more: object = {}): Promise<Answer> =>
  stage.call('POST', SCHEMAS, {
    kind: 'openapi_v3',
    name: 'shop',
    source: typeof source === 'string' ? source : JSON.stringify(source),
    validation_enabled: false,
    ...more,
  })

async function uploadForm(fields: Readonly<Record<string, string | Blob>>): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') form.set(name, value)
    else form.set(name, value, 'shop.yaml')
  const request = new Request('http://form.test', { method: 'POST', body: form })
  return stage.call('POST', USER_SCHEMAS, undefined, {
    raw: new Uint8Array(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type')! },
  })
}

/** The operations of the zone as short text. */
async function kept(): Promise<readonly string[]> {
  const { json } = await stage.call('GET', `${OPERATIONS}?per_page=1000`)
  return json.list.map(({ method, host, endpoint }) => `${method} ${host}${endpoint}`)
}

const pointers = ({ json }: Answer) => json.errors.map(({ source }) => source?.pointer)
const notes = ({ json }: Answer) => json.messages.map(({ code, source }) => [code, source?.pointer])
const withServers = (...urls: string[]) => ({ ...shop, servers: urls.map((url) => ({ url })) })
const withPaths = (paths: object) => ({ ...shop, paths })

describe('a document that is uploaded', () => {
  test.each([
    ['JSON', JSON.stringify(shop)],
    ['JSON of many lines', JSON.stringify(shop, null, 2)],
    // One object in many places is written with an anchor and aliases.
    ['YAML', stringify(shop)],
    ['YAML after a mark of its order', `\ufeff${stringify(shop)}`],
  ])('in %s adds its operations', async (_, source) => {
    const { status, json } = await upload(source)
    expect(status).toBe(200)
    expect(json.messages).toEqual([])
    expect(json.result).toEqual({
      schema_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'openapi_v3',
      name: 'shop',
      created_at: '2026-01-31T12:00:00.000000Z',
      validation_enabled: false,
      source,
    })
    expect(await kept()).toEqual([
      'GET api.example.com/v1/carts',
      'POST api.example.com/v1/carts',
      'DELETE api.example.com/v1/carts/{var1}',
    ])
  })

  test('as a file of a form does the same', async () => {
    const source = stringify(shop)
    const file = new Blob([source], { type: 'application/yaml' })
    const { status, json } = await uploadForm({ file, kind: 'openapi_v3' })
    expect(status).toBe(200)
    expect(json.result).toEqual({
      schema: expect.objectContaining({ name: 'shop.yaml', source, validation_enabled: false }),
      upload_details: { warnings: [] },
    })
    expect(await kept()).toHaveLength(3)
  })

  test('may be a plain field of a form, with a name', async () => {
    const { json } = await uploadForm({
      file: JSON.stringify(shop),
      kind: 'openapi_v3',
      name: 'by hand',
      validation_enabled: 'true',
    })
    expect(json.result['schema']).toMatchObject({ name: 'by hand', validation_enabled: true })
  })

  test('leaves operations that are there as they are, and is one version of the policy', async () => {
    const older = { method: 'GET', host: 'api.example.com', endpoint: '/v1/carts' }
    const made = await stage.call('POST', `${OPERATIONS}/item`, older)
    const { version } = (await readPolicy(stage.db, ZONE))!.row
    await upload(shop)
    await upload(shop)
    expect((await stage.call('GET', OPERATIONS)).json.list[0]).toEqual(made.json.result)
    expect(await kept()).toHaveLength(3)
    expect((await readPolicy(stage.db, ZONE))!.row.version).toBe(version + 1)
  })

  test('is not what requests are validated against, and the answer says so', async () => {
    const answer = await upload(shop, { validation_enabled: true })
    expect(notes(answer)).toEqual([[120306, '/validation_enabled']])
  })

  test('is in the audit log, with its operations, without its text', async () => {
    const { json } = await upload(shop)
    const log = `/zones/${ZONE}/audit_log?object_id=${String(json.result['schema_id'])}`
    const [line] = (await stage.call('GET', log)).json.list
    expect(line).toMatchObject({
      action: { type: 'create' },
      resource: { type: 'api_schema' },
      after: { name: 'shop', source_length: JSON.stringify(shop).length },
    })
    const { json: same } = await stage.call(
      'GET',
      `/zones/${ZONE}/audit_log?request_id=${String(line!['request_id'])}`,
    )
    expect(same.list).toHaveLength(4)
  })
})

describe('where its operations are', () => {
  const server = (url: string, variables?: object) => ({ ...shop, servers: [{ url, variables }] })
  const first = (text: string) => [
    `GET ${text}/carts`,
    `POST ${text}/carts`,
    `DELETE ${text}/carts/{var1}`,
  ]

  test.each<[string, object, string[], [number, string][]]>([
    [
      'a port and a slash',
      server('https://API.example.com:8443/v1/'),
      first('api.example.com/v1'),
      [],
    ],
    ['no path', server('https://example.com'), first('example.com'), []],
    ['no scheme', server('//example.com/x'), first('example.com/x'), []],
    ['a path alone', server('/v2'), first('example.com/v2'), [[120303, '/source/servers/0/url']]],
    ['nothing', server('/'), first('example.com'), [[120303, '/source/servers/0/url']]],
    ['none', { ...shop, servers: [] }, first('example.com'), [[120303, '/source/servers']]],
    [
      'two, one elsewhere',
      withServers('https://example.com', 'https://elsewhere.test'),
      first('example.com'),
      [[120301, '/source/servers/1/url']],
    ],
    [
      'the same twice',
      withServers('http://example.com', 'https://example.com:443/'),
      first('example.com'),
      [],
    ],
    [
      'a variable with its values',
      server('{scheme}://{region}.example.com', {
        scheme: { enum: ['http', 'https'], default: 'https' },
        region: { enum: ['eu', 'us'], default: 'eu' },
      }),
      ['GET eu', 'GET us', 'POST eu', 'POST us', 'DELETE eu', 'DELETE us'].map(
        (text) => `${text}.example.com/carts${text.startsWith('D') ? '/{var1}' : ''}`,
      ),
      [],
    ],
    [
      'a variable for any label',
      server('https://{tenant}.example.com:{port}', {
        tenant: { default: 'demo' },
        port: { default: '443' },
      }),
      first('{hostVar1}.example.com'),
      [],
    ],
    [
      'a variable in a label',
      server('https://api-{tenant}.example.com', { tenant: { default: 'demo' } }),
      first('api-demo.example.com'),
      [],
    ],
    [
      'a variable for the host',
      server('https://{host}/v1', { host: { default: 'api.example.com' } }),
      first('api.example.com/v1'),
      [],
    ],
    [
      'a variable for all of it',
      server('{base}/v1', { base: { default: 'https://api.example.com' } }),
      first('api.example.com/v1'),
      [],
    ],
    [
      'a variable in the path',
      server('https://example.com/{version}', { version: { default: 'v9' } }),
      first('example.com/v9'),
      [[120302, '/source/servers/0/url']],
    ],
  ])('a server of %s', async (_, document, operations, warnings) => {
    const answer = await upload(document)
    expect(pointers(answer)).toEqual([])
    expect(await kept()).toEqual(operations)
    expect(notes(answer)).toEqual(warnings)
  })

  test('servers of an operation come before those of its path, and those before all others', async () => {
    const [a, b] = ['a', 'b'].map((name) => [{ url: `https://${name}.example.com` }])
    await upload(
      withPaths({ '/x': { servers: a, get: { ...ok, servers: b }, put: ok }, '/y': { get: ok } }),
    )
    expect(await kept()).toEqual([
      'GET b.example.com/x',
      'PUT a.example.com/x',
      'GET api.example.com/v1/y',
    ])
  })

  test.each<[string, object]>([
    ['another zone', withServers('https://example.org')],
    ['a name that ends alike', withServers('https://badexample.com')],
    ['another host by its user', withServers('https://example.com@evil.test')],
    ['a variable without a default', withServers('https://example.com/{base}')],
    ['no paths', withPaths({})],
    ['paths without operations', withPaths({ '/a': { summary: 'nothing' } })],
  ])('a document of %s describes nothing here and is refused', async (_, document) => {
    const answer = await upload(document)
    expect(answer.status).toBe(400)
    expect(answer.json.errors[0]).toMatchObject({ code: 120201, source: { pointer: '/source' } })
    expect((await stage.call('GET', SCHEMAS)).json.list).toEqual([])
  })
})

describe('what is left out, and told of', () => {
  test.each<[string, object, number, string]>([
    [
      'a variable that is part of a segment',
      { '/a/{x}.json': { get: ok } },
      120304,
      '/~1a~1{x}.json',
    ],
    ['a query in a path', { '/a?b=c': { get: ok } }, 120304, '/~1a?b=c'],
    ['the method QUERY', { '/a': { query: ok } }, 120304, '/~1a/query'],
    ['a reference to elsewhere', { '/a': { $ref: 'other.yaml#/a' } }, 120305, '/~1a/$ref'],
    ['a reference to nowhere', { '/a': { $ref: '#/paths/none' } }, 120305, '/~1a/$ref'],
    ['a reference to itself', { '/a': { $ref: '#/paths/~1a' } }, 120305, '/~1a/$ref'],
  ])('%s', async (_, paths, code, pointer) => {
    const answer = await upload(withPaths({ '/kept': { get: ok }, ...paths }))
    expect(answer.status).toBe(200)
    expect(await kept()).toEqual(['GET api.example.com/v1/kept'])
    expect(notes(answer)).toEqual([[code, `/source/paths${pointer}`]])
  })

  test('extensions and members of other meaning are no operations', async () => {
    const paths = { 'x-note': 'y', '/a': { 'x-get': ok, description: 'd', trace: ok } }
    expect(notes(await upload(withPaths(paths)))).toEqual([])
    expect(await kept()).toEqual(['TRACE api.example.com/v1/a'])
  })

  test('the answer to a form has it with places in the file', async () => {
    const file = JSON.stringify(withPaths({ '/a': { get: ok }, '/b{c}': { get: ok } }))
    const { json } = await uploadForm({ file, kind: 'openapi_v3' })
    expect(json.result['upload_details']).toEqual({
      warnings: [{ code: 120304, locations: ['/paths/~1b{c}'], message: expect.any(String) }],
    })
  })

  test('a reference within the document is followed', async () => {
    const components = { pathItems: { 'a/b~': { get: ok, put: ok } } }
    const item = { $ref: '#/components/pathItems/a~1b~0', put: ok }
    await upload({ ...withPaths({ '/a': item }), components })
    expect((await kept()).toSorted()).toEqual([
      'GET api.example.com/v1/a',
      'PUT api.example.com/v1/a',
    ])
  })
})

describe('what is refused', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['Swagger 2', { swagger: '2.0', paths: {} }, '/swagger', /OpenAPI 3/],
    ['no version', { paths: {} }, '/openapi', /3\.1\.0/],
    ['a version as a number', { openapi: 3, paths: {} }, '/openapi', /3\.1\.0/],
    ['version 4', { openapi: '4.0.0', paths: {} }, '/openapi', /3\.1\.0/],
    ['a list', [], '', /object/],
    ['a text', 'hello', '', /object/],
    ['nothing but space', ' ', '', /object/],
    ['no paths', { openapi: '3.0.3' }, '/paths', /paths/],
    ['a list of paths', withPaths([]), '/paths', /paths/],
    ['a path without its slash', withPaths({ a: { get: ok } }), '/paths/a', /begins with \//],
    ['a path that is a text', withPaths({ '/a': 'b' }), '/paths/~1a', /object/],
    ['an operation that is none', withPaths({ '/a': { get: null } }), '/paths/~1a/get', /object/],
    ['broken JSON', '{"openapi": "3.1.0",\n "paths" {}}', '', /line 2, column 10/],
    ['broken YAML', 'openapi: 3.1.0\npaths:\n\t/a: {}', '', /line 3, column 1/],
    ['two documents', `${stringify(shop)}---\n${stringify(shop)}`, '', /line \d+, column \d+/],
    [
      'a key that stands twice',
      'openapi: 3.1.0\npaths: {}\npaths: {}',
      '',
      /line 3, column 1.*twice/,
    ],
    ['an alias of nothing', 'openapi: *x', '', /alias/i],
    ['prototypes', '{"__proto__": {"openapi": "3.1.0", "paths": {}}}', '/openapi', /3\.1\.0/],
  ])('%s', async (_, document, pointer, text) => {
    const answer = await upload(document)
    expect(answer.status).toBe(400)
    expect(pointers(answer)).toEqual([`/source${pointer}`])
    expect(answer.json.errors[0]!.message).toMatch(text)
    expect(await kept()).toEqual([])
  })

  test('every fault is told, each with its place', async () => {
    const answer = await upload(withPaths({ a: {}, '/b': { get: 1, put: ok }, '/c': [] }))
    expect(pointers(answer)).toEqual([
      '/source/paths/a',
      '/source/paths/~1b/get',
      '/source/paths/~1c',
    ])
  })

  test.each<[string, object, string[]]>([
    ['another kind', { kind: 'graphql' }, ['/kind']],
    ['no name', { name: '' }, ['/name']],
    ['a name of 201 characters', { name: 'n'.repeat(201) }, ['/name']],
    ['no source', { source: '' }, ['/source']],
    ['a source that is no text', { source: shop }, ['/source']],
    ['a flag in words', { validation_enabled: 'yes' }, ['/validation_enabled']],
  ])('%s', async (_, more, expected) => {
    const answer = await upload(shop, more)
    expect(answer.status).toBe(400)
    expect(pointers(answer)).toEqual(expected)
  })

  test.each<[string, Record<string, string | Blob>, string[]]>([
    ['no file', { kind: 'openapi_v3' }, ['/file']],
    ['an empty file', { kind: 'openapi_v3', file: new Blob([]) }, ['/file']],
    [
      'a file of other bytes',
      { kind: 'openapi_v3', file: new Blob([new Uint8Array([255])]) },
      ['/file'],
    ],
    ['a file with U+0000', { kind: 'openapi_v3', file: new Blob(['a\0']) }, ['/file']],
    ['no kind', { file: JSON.stringify(shop) }, ['/kind']],
    [
      'a flag in words',
      { kind: 'openapi_v3', file: 'x', validation_enabled: 'yes' },
      ['/validation_enabled'],
    ],
    ['a file that is no document', { kind: 'openapi_v3', file: 'x: [' }, ['/file']],
  ])('a form with %s', async (_, fields, expected) => {
    const answer = await uploadForm(fields)
    expect(answer.status).toBe(400)
    expect(pointers(answer)).toEqual(expected)
  })

  test.each<[string, string, string, number]>([
    ['JSON where a form is due', 'application/json', '{}', 415],
    ['a form without its boundary', 'multipart/form-data', '--x--', 415],
    ['a form that is none', 'multipart/form-data; boundary=x', 'hello', 400],
    ['no body', 'multipart/form-data; boundary=x', '', 400],
    [
      'a form of more than a megabyte',
      'multipart/form-data; boundary=x',
      'a'.repeat(1_000_001),
      413,
    ],
  ])('%s', async (_, type, raw, status) => {
    const headers = { 'content-type': type }
    const answer = await stage.call('POST', USER_SCHEMAS, undefined, { raw, headers })
    expect(answer.status).toBe(status)
  })

  test('a document of more than a megabyte', async () => {
    expect((await upload(`# ${'a'.repeat(1_000_000)}`)).status).toBe(413)
  })

  test('a document of 10,001 operations, where 10,000 are taken', async () => {
    const many = (count: number) =>
      withPaths(
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${at}`, { get: ok }])),
      )
    const answer = await upload(many(10_001))
    expect(pointers(answer)).toEqual(['/source/paths'])
    expect((await upload(many(10_000))).status).toBe(200)
  })
})

describe('a document that is meant to break its reader', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
  for (const [at, name] of [...'bcdefghi'].entries())
    bomb.push(`${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[at]}`).join(', ')}]`)

  test.each([
    ['aliases of aliases', bomb.join('\n')],
    ['an alias of what it is in', 'openapi: &a [*a]'],
    ['many aliases', Array.from({ length: 5000 }, (_, at) => `- &a${at} x\n- *a${at}`).join('\n')],
    ['brackets in brackets', '['.repeat(400_000)],
    ['braces in braces', '{"a":'.repeat(100_000)],
    ['lists in lists', `${'- '.repeat(100_000)}x`],
    ['questions in questions', `${'? '.repeat(100_000)}x`],
    ['quotes', '"'.repeat(100_000)],
    ['a tag of code', 'openapi: !!js/function "x"'],
    ['many keys', Array.from({ length: 50_000 }, (_, at) => `k${at}: v`).join('\n')],
  ])('%s', async (_, source) => {
    const answer = await upload(source)
    expect(answer.status).toBe(400)
    expect(stage.faults).toEqual([])
  })
})

describe.each([['schema_validation/schemas'], ['api_gateway/user_schemas']])('%s', (name) => {
  const path = `/zones/${ZONE}/${name}`

  async function three(): Promise<readonly Item[]> {
    const made = []
    for (const [at, title] of ['a', 'b', 'c'].entries()) {
      stage.clock += 1
      const more = { name: title, validation_enabled: at === 1 }
      made.push((await upload(shop, more)).json.result)
    }
    return made
  }

  test('lists schemas in pages, the oldest first', async () => {
    const made = await three()
    expect((await stage.call('GET', path)).json).toMatchObject({
      result: made,
      result_info: { count: 3, page: 1, total_count: 3, total_pages: 1 },
    })
    const pages = []
    for (let page = 1; page <= 4; page++)
      pages.push((await stage.call('GET', `${path}?page=${page}&per_page=1`)).json.list)
    expect(pages).toEqual([...made.map((one) => [one]), []])
    const on = await stage.call('GET', `${path}?validation_enabled=true&omit_source=true`)
    const { source: _, ...rest } = made[1]!
    expect(on.json.list).toEqual([rest])
    const off = await stage.call('GET', `${path}?validation_enabled=false`)
    expect(off.json.list).toEqual([made[0], made[2]])
  })

  test('gets, switches and deletes one, whose operations stay', async () => {
    const [, made] = await three()
    const one = `${path}/${String(made!['schema_id'])}`
    expect((await stage.call('GET', one)).json.result).toEqual(made)
    const { source: _, ...rest } = made!
    expect((await stage.call('GET', `${one}?omit_source=true`)).json.result).toEqual(rest)
    const off = { ...made, validation_enabled: false }
    expect((await stage.call('PATCH', one, { validation_enabled: false })).json.result).toEqual(off)
    expect((await stage.call('PATCH', one, {})).json.result).toEqual(off)
    expect((await stage.call('GET', one)).json.result).toEqual(off)
    const operations = await kept()
    const id = made!['schema_id']
    expect((await stage.call('DELETE', one)).json).toMatchObject({ result: { schema_id: id } })
    expect(await kept()).toEqual(operations)
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const)
      expect((await stage.call(method, one, body)).status).toBe(404)
    const log = await stage.call('GET', `/zones/${ZONE}/audit_log?object_id=${String(id)}`)
    const done = log.json.list.map(({ action }) => (action as Item)['type'])
    expect(done.toSorted()).toEqual(['create', 'delete', 'update'])
  })

  test('reading and editing are different rights', async () => {
    const token = await stage.token(['operations:read'], `zone:${ZONE}`)
    expect((await stage.call('GET', path, undefined, { token })).status).toBe(200)
    for (const [method, to] of [
      ['POST', path],
      ['PATCH', `${path}/x`],
      ['DELETE', `${path}/x`],
    ] as const)
      expect((await stage.call(method, to, {}, { token })).status).toBe(403)
  })
})

test('a zone has at most 50 schemas', async () => {
  for (let at = 0; at < 50; at++) expect((await upload(shop)).status).toBe(200)
  const answer = await upload(withPaths({ '/new': { get: ok } }))
  expect(answer.status).toBe(409)
  expect(answer.headers.get('x-should-retry')).toBe('false')
  expect(await kept()).toHaveLength(3)
})

test('schemas go with their zone', async () => {
  const account = { id: 'a'.repeat(32) }
  const { json } = await stage.call('POST', '/zones', { name: 'gone.example', account })
  const zone = String(json.result['id'])
  const body = { kind: 'openapi_v3', name: 'n', source: JSON.stringify({ ...shop, servers: [] }) }
  const path = `/zones/${zone}/schema_validation/schemas`
  expect((await stage.call('POST', path, { ...body, validation_enabled: false })).status).toBe(200)
  await stage.call('DELETE', `/zones/${zone}`)
  const rows = await stage.db
    .selectFrom('api_schemas')
    .selectAll()
    .where('zone_id', '=', zone)
    .execute()
  expect(rows).toEqual([])
})
