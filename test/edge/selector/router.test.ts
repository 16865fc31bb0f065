import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  canonicalHost,
  endpointSegments,
  normalisePath,
  Router,
  type Operation,
} from '../../../src/edge/selector/index.js'
import { METHODS, operations, REQUEST_HOSTS } from './arbitraries.js'

type Row = readonly [method: string, host: string, endpoint: string]

function routerOf(rows: readonly Row[]): Router<string> {
  const router = new Router<string>()
  rows.forEach(([method, host, endpoint], at) => {
    const target = `${method} ${host}${endpoint}`
    router.add({ operation_id: String(at), method, host, endpoint }, target)
  })
  return router
}

describe('a request finds', () => {
  test.each<[string, Row[], Row, string | undefined]>([
    [
      'its literal operation',
      [['GET', 'a.example', '/x']],
      ['GET', 'a.example', '/x'],
      'GET a.example/x',
    ],
    [
      'nothing by a segment of the same number',
      [['GET', 'a.example', '/Aa/x']],
      ['GET', 'a.example', '/BB/x'],
      undefined,
    ],
    ...['AaAa', 'AaBB', 'BBAa'].map((segment): [string, Row[], Row, string] => [
      `its own segment ${segment} among those of the same number`,
      [
        ['GET', 'a.example', '/AaAa/x'],
        ['GET', 'a.example', '/AaBB/x'],
        ['GET', 'a.example', '/BBAa/x'],
      ],
      ['GET', 'a.example', `/${segment}/x`],
      `GET a.example/${segment}/x`,
    ]),
    [
      'nothing by another method',
      [['GET', 'a.example', '/x']],
      ['HEAD', 'a.example', '/x'],
      undefined,
    ],
    [
      'nothing on another host',
      [['GET', 'a.example', '/x']],
      ['GET', 'b.example', '/x'],
      undefined,
    ],
    [
      'nothing with a trailing slash',
      [['GET', 'a.example', '/x']],
      ['GET', 'a.example', '/x/'],
      undefined,
    ],
    [
      'nothing without a trailing slash',
      [['GET', 'a.example', '/x/']],
      ['GET', 'a.example', '/x'],
      undefined,
    ],
    [
      'nothing in another letter case',
      [['GET', 'a.example', '/x']],
      ['GET', 'a.example', '/X'],
      undefined,
    ],
    [
      'nothing above its operation',
      [['GET', 'a.example', '/x/y']],
      ['GET', 'a.example', '/x'],
      undefined,
    ],
    [
      'nothing below its operation',
      [['GET', 'a.example', '/x']],
      ['GET', 'a.example', '/x/y'],
      undefined,
    ],
    ['the root', [['GET', 'a.example', '/']], ['GET', 'a.example', '/'], 'GET a.example/'],
    [
      'a variable segment',
      [['GET', 'a.example', '/x/{id}']],
      ['GET', 'a.example', '/x/7'],
      'GET a.example/x/{id}',
    ],
    [
      'no variable that is empty',
      [['GET', 'a.example', '/x/{id}']],
      ['GET', 'a.example', '/x/'],
      undefined,
    ],
    [
      'no variable over two segments',
      [['GET', 'a.example', '/x/{id}']],
      ['GET', 'a.example', '/x/7/8'],
      undefined,
    ],
    [
      'a variable holding an encoded slash',
      [['GET', 'a.example', '/x/{id}']],
      ['GET', 'a.example', '/x/7%2F8'],
      'GET a.example/x/{id}',
    ],
    [
      'a variable host',
      [['GET', '{h}.example', '/x']],
      ['GET', 'a.example', '/x'],
      'GET {h}.example/x',
    ],
    [
      'no variable host over two labels',
      [['GET', '{h}.example', '/x']],
      ['GET', 'a.b.example', '/x'],
      undefined,
    ],
    [
      'no variable host that is missing',
      [['GET', '{h}.example', '/x']],
      ['GET', 'example', '/x'],
      undefined,
    ],
    [
      'the operation that a lower-case method means',
      [['GET', 'a.example', '/x']],
      ['get', 'a.example', '/x'],
      'GET a.example/x',
    ],
    [
      'nothing for the asterisk, which is no path',
      [['OPTIONS', 'a.example', '/']],
      ['OPTIONS', 'a.example', '*'],
      undefined,
    ],
  ])('%s', (_what, rows, [method, host, path], found) => {
    expect(routerOf(rows).match(method, host, path)).toBe(found)
  })
})

describe('of operations that overlap, the request finds', () => {
  test.each<[string, Row[], Row, string]>([
    [
      'a literal before a variable',
      [
        ['GET', 'a.example', '/{x}'],
        ['GET', 'a.example', '/me'],
      ],
      ['GET', 'a.example', '/me'],
      'GET a.example/me',
    ],
    [
      'the literal that stands further left',
      [
        ['GET', 'a.example', '/{x}/b/c'],
        ['GET', 'a.example', '/a/{y}/{z}'],
      ],
      ['GET', 'a.example', '/a/b/c'],
      'GET a.example/a/{y}/{z}',
    ],
    [
      'a variable where the literal leads nowhere',
      [
        ['GET', 'a.example', '/a/x'],
        ['GET', 'a.example', '/{v}/y'],
      ],
      ['GET', 'a.example', '/a/y'],
      'GET a.example/{v}/y',
    ],
    [
      'a literal path on a variable host before a variable path on the exact host',
      [
        ['GET', 'a.example', '/{x}'],
        ['GET', '{h}.example', '/me'],
      ],
      ['GET', 'a.example', '/me'],
      'GET {h}.example/me',
    ],
    [
      'a variable path where the literal one is for another host',
      [
        ['GET', 'b.example', '/me'],
        ['GET', 'a.example', '/{x}'],
      ],
      ['GET', 'a.example', '/me'],
      'GET a.example/{x}',
    ],
    [
      'an exact host before a variable one',
      [
        ['GET', '{h}.example', '/x'],
        ['GET', 'a.example', '/x'],
      ],
      ['GET', 'a.example', '/x'],
      'GET a.example/x',
    ],
    [
      'the host of fewer variables',
      [
        ['GET', '{g}.{h}.example', '/x'],
        ['GET', '{g}.b.example', '/x'],
      ],
      ['GET', 'a.b.example', '/x'],
      'GET {g}.b.example/x',
    ],
    [
      'the older one of two hosts that are alike',
      [
        ['GET', '{g}.b.example', '/first-of-its-shape'],
        ['GET', 'a.{h}.example', '/x'],
        ['GET', '{g}.b.example', '/x'],
      ],
      ['GET', 'a.b.example', '/x'],
      'GET a.{h}.example/x',
    ],
    [
      'the older one of two that differ in names only',
      [
        ['GET', 'a.example', '/{x}'],
        ['GET', 'a.example', '/{y}'],
      ],
      ['GET', 'a.example', '/1'],
      'GET a.example/{x}',
    ],
  ])('%s', (_what, rows, [method, host, path], found) => {
    expect(routerOf(rows).match(method, host, path)).toBe(found)
  })
})

test('adding an operation gives the one that answers: itself, or the older duplicate', () => {
  const router = new Router<string>()
  const add = (endpoint: string, host = 'a.example') =>
    router.add({ operation_id: endpoint, method: 'GET', host, endpoint }, endpoint)
  expect(add('/{x}')).toBe('/{x}')
  expect(add('/{y}')).toBe('/{x}')
  expect(add('/x-{y}')).toBeUndefined()
  expect(add('/x', 'no host')).toBeUndefined()
})

test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
  'nothing is special about %s as method, host, segment or id',
  (name) => {
    const empty = new Router<string>()
    expect(empty.match(name, name, `/${name}`)).toBeUndefined()
    const router = new Router<string>()
    router.add(
      {
        operation_id: name,
        method: name,
        host: name.toLowerCase(),
        endpoint: `/${name}/{${name}}`,
      },
      'it',
    )
    expect(router.match(name, name.toLowerCase(), `/${name}/1`)).toBe('it')
    expect(router.match(name, 'other', `/${name}/1`)).toBeUndefined()
    expect(router.match('GET', name.toLowerCase(), `/${name}/1`)).toBeUndefined()
  },
)

/** The same question answered slowly: every operation is held against the request, the best one wins. */
function bruteForce(
  all: readonly Operation[],
  method: string,
  host: string,
  path: string,
): string | undefined {
  const labels = host.split('.')
  const segments = path.slice(1).split('/')
  const matching = all.flatMap((operation, age) => {
    const hosts = (canonicalHost(operation.host) ?? '').split('.')
    const parts = endpointSegments(operation.endpoint) ?? []
    const fits =
      operation.method === method &&
      hosts.length === labels.length &&
      hosts.every((label, at) => label === '{}' || label === labels[at]) &&
      parts.length === segments.length &&
      parts.every((part, at) => (part === '{}' ? segments[at] !== '' : part === segments[at]))
    const precedence = parts.map((part) => (part === '{}' ? 1 : 0))
    const variables = hosts.filter((label) => label === '{}').length
    return fits ? [{ id: operation.operation_id, order: [...precedence, variables, age] }] : []
  })
  matching.sort(({ order: one }, { order: other }) => {
    const at = one.findIndex((value, index) => value !== other[index])
    return at === -1 ? 0 : (one[at] as number) - (other[at] as number)
  })
  return matching[0]?.id
}

test('the router agrees with a matcher that looks at every operation', () => {
  const paths = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 3 })
    .map((segments) => normalisePath(`/${segments.join('/')}`))
  fc.assert(
    fc.property(
      operations,
      fc.constantFrom(...METHODS),
      fc.constantFrom(...REQUEST_HOSTS),
      paths,
      (all, method, host, path) => {
        const router = new Router<string>()
        for (const operation of all) router.add(operation, operation.operation_id)
        expect(router.match(method, host, path)).toBe(bruteForce(all, method, host, path))
      },
    ),
    { numRuns: 3000 },
  )
})
