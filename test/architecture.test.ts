import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

/** What each room may import: rooms (by their index) and packages. Its own files always. */
const MAY_IMPORT: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'edge',
    [
      'edge/edge-errors',
      'edge/embed',
      'edge/expression',
      'edge/gate',
      'edge/problem',
      'edge/selector',
      'edge/skim',
      'edge/token',
    ],
  ],
  ['edge/edge-errors', ['edge/expression', 'edge/gate', 'edge/problem']],
  ['edge/embed', ['edge/edge-errors', 'edge/gate', 'edge/problem']],
  ['edge/expression', []],
  ['edge/gate', ['edge/expression', 'edge/problem', 'edge/selector', 'edge/token']],
  ['edge/problem', []],
  ['edge/selector', []],
  ['edge/skim', ['edge/token']],
  ['edge/token', []],
  [
    'management',
    [
      'management/gate',
      'management/audit',
      'management/docs',
      'management/edge-errors',
      'management/http',
      'management/key-sets',
      'management/operations',
      'management/store',
      'management/token-validation',
      'management/tokens',
      'management/zones',
    ],
  ],
  [
    'management/edge-errors',
    [
      '@hono/zod-openapi',
      'edge/edge-errors',
      'edge/gate',
      'edge/problem',
      'management/http',
      'management/store',
    ],
  ],
  ['management/gate', ['@hono/zod-openapi', 'kysely', 'management/http', 'management/store']],
  ['management/audit', ['@hono/zod-openapi', 'kysely', 'management/http', 'management/store']],
  ['management/docs', ['hono/html', 'management/http']],
  [
    'management/key-sets',
    ['@hono/zod-openapi', 'edge/token', 'management/http', 'management/store'],
  ],
  ['management/http', ['@hono/zod-openapi', 'hono', 'hono/router/trie-router']],
  [
    'management/operations',
    ['@hono/zod-openapi', 'edge/selector', 'kysely', 'management/http', 'management/store', 'yaml'],
  ],
  ['management/store', ['kysely']],
  [
    'management/token-validation',
    [
      '@hono/zod-openapi',
      'edge',
      'edge/expression',
      'edge/selector',
      'edge/token',
      'kysely',
      'management/edge-errors',
      'management/http',
      'management/key-sets',
      'management/store',
    ],
  ],
  ['management/tokens', ['@hono/zod-openapi', 'kysely', 'management/http', 'management/store']],
  [
    'management/zones',
    ['@hono/zod-openapi', 'edge/selector', 'kysely', 'management/http', 'management/store'],
  ],
  [
    'node/auth-service',
    [
      '@grpc/grpc-js',
      '@grpc/proto-loader',
      'edge',
      'edge/edge-errors',
      'edge/embed',
      'edge/expression',
      'edge/problem',
      'node/bytes',
      'node/proxy',
      'node:*',
    ],
  ],
  ['node/bytes', []],
  [
    'node',
    [
      'edge',
      'edge/edge-errors',
      'edge/gate',
      'edge/selector',
      'edge/skim',
      'edge/token',
      'management',
      'node/auth-service',
      'node/bytes',
      'node/documents',
      'node/outbound',
      'node/proxy',
      'node/store',
      'node/store/postgres',
      'node:*',
    ],
  ],
  [
    'node/cli',
    [
      'edge',
      'edge/gate',
      'edge/selector',
      'edge/token',
      'node',
      'node/demo',
      'node/log',
      'node/serve',
      'node/store',
      'node/workers',
      'node:*',
    ],
  ],
  ['node/documents', ['management', 'node:*']],
  ['node/demo', ['edge', 'jose', 'node:*']],
  ['node/outbound', ['node/proxy', 'undici', 'node:*']],
  ['node/log', ['edge', 'node', 'node:*', 'pino']],
  [
    'node/proxy',
    [
      'edge',
      'edge/edge-errors',
      'edge/embed',
      'edge/problem',
      'edge/selector',
      'node/bytes',
      'undici',
      'node:*',
    ],
  ],
  [
    'node/serve',
    [
      '@hono/node-server',
      'edge',
      'management',
      'node',
      'node/documents',
      'node/log',
      'node/store',
      'node/workers',
      'node:*',
    ],
  ],
  [
    'node/store',
    [
      '@photostructure/sqlite',
      'kysely',
      'management',
      'node',
      'node/outbound',
      'node/store/postgres',
      'node:*',
    ],
  ],
  ['node/store/postgres', ['kysely', 'management', 'node:*', 'pg']],
  ['node/workers', ['edge', 'node', 'node:*']],
])

interface Import {
  readonly file: string
  readonly specifier: string
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)
const STATEMENT =
  /^(?:import|export)\b[^'"`;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm
const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(STATEMENT)].map(([, from, bare, dynamic]) => ({
    file,
    specifier: from ?? bare ?? dynamic ?? '',
  })),
)

/** The room of a file: the longest known folder that it lies in. */
function roomOf(file: string): string {
  const rooms = [...MAY_IMPORT.keys()].filter((room) => file.startsWith(`${room}/`))
  return rooms.toSorted((one, other) => other.length - one.length)[0] ?? `no room: ${file}`
}

function breaches(all: readonly Import[]): readonly string[] {
  return all.flatMap(({ file, specifier }) => {
    const room = roomOf(file)
    const breach = [`${file} imports ${specifier}`]
    const allowed = MAY_IMPORT.get(room)
    if (allowed === undefined) return breach
    if (!specifier.startsWith('.')) {
      const name = specifier.startsWith('node:') ? 'node:*' : specifier
      return allowed.includes(name) ? [] : breach
    }
    const target = relative('.', join(dirname(file), specifier))
    const targetRoom = roomOf(target.replace(/\.js$/, '.ts'))
    if (targetRoom === room) return []
    const byIndex = target === `${targetRoom}/index.js` || room.startsWith(`${targetRoom}/`)
    return allowed.includes(targetRoom) && byIndex ? [] : breach
  })
}

test('every file lies in a room that the plan knows', () => {
  expect(files.filter((file) => !MAY_IMPORT.has(roomOf(file)))).toEqual([])
})

test('imports only point down, and between rooms only at the index', () => {
  expect(breaches(imports)).toEqual([])
})

test.each<[string, Import]>([
  ['a node module on the edge', { file: 'edge/token/verify.ts', specifier: 'node:crypto' }],
  ['the gate in the token room', { file: 'edge/token/verify.ts', specifier: '../gate/index.js' }],
  ['the node floor on the edge', { file: 'edge/gate/gate.ts', specifier: '../../node/index.js' }],
  ['the inside of another room', { file: 'edge/gate/gate.ts', specifier: '../token/verify.js' }],
  ['the store on the edge', { file: 'edge/gate/gate.ts', specifier: '../../management/index.js' }],
  ['the node floor upstairs', { file: 'management/index.ts', specifier: '../node/index.js' }],
  [
    'one area in another',
    { file: 'management/zones/zone-routes.ts', specifier: '../operations/index.js' },
  ],
  ['SQL in the manners', { file: 'management/http/page.ts', specifier: 'kysely' }],
  ['a package nobody chose', { file: 'edge/problem/html.ts', specifier: 'lodash' }],
])('the walls notice %s', (_, planted) => {
  expect(breaches([planted])).toHaveLength(1)
})

test('edge and management read no clock and no dice of their own, except as defaults of arguments', () => {
  const source = /(Date\.now|performance\.now|Math\.random|new Date|crypto\.randomUUID)\(\)/
  const readers = files
    .filter((file) => file.startsWith('edge/') || file.startsWith('management/'))
    .filter((file) => source.test(readFileSync(join(SRC, file), 'utf8')))
  expect(readers).toEqual([])
})

test('no file is named after nothing', () => {
  const vague = /(^|\/)(utils?|helpers?|common|misc|shared|types|constants)(\.ts|\/)/
  expect(files.filter((file) => vague.test(file))).toEqual([])
})
