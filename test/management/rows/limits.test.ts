import { expect, test } from 'vitest'
import { keyFor } from '../../edge/token/keys.js'
import { ZONE } from '../stage.js'
import {
  CONFIG,
  config,
  cookie,
  header,
  many,
  operation,
  OPERATIONS,
  refusalOf,
  rule,
  RULES,
  SCHEMAS,
  x,
} from './bodies.js'
import { servedFor } from './served.js'

const UNKNOWN_KEYS = `/zones/${ZONE}/gate/unknown_keys`

const { call } = servedFor('token_configurations', 'token_keys', 'rules', 'operations')

/** A host of so many characters below the zone. */
const host = (length: number): string =>
  `${x(63)}.${x(63)}.${x(63)}.${x(length - 192 - 12)}.example.com`
const es = keyFor('ES256').jwk
const keys = (count: number) => many(count, (at) => ({ ...es, kid: `${at}` }))
const withKey = (key: object) => config({ credentials: { keys: [key] } })
const document = (path: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    servers: [{ url: 'https://example.com' }],
    paths: { [path]: { get: {} } },
  })
const schema = (changes: object) => ({
  kind: 'openapi_v3',
  name: 'x',
  source: document('/a'),
  validation_enabled: false,
  ...changes,
})
const unknown = (changes: object) => ({ configuration_id: 'x', keys: [], ...changes })
const named = (alg: string, kid: string) => unknown({ keys: [{ alg, kid }] })

/** What is counted, how many there may be, a call with `n` of them, the code and pointer of a refusal. */
type Limit = [
  what: string,
  max: number,
  path: string,
  body: (n: number) => unknown,
  code: number,
  pointer: string,
]

const LIMITS: Limit[] = [
  // Of token configurations and their keys (spec 2.2, 2.3).
  ['characters of a title', 50, CONFIG, (n) => config({ title: x(n) }), 10422, '/title'],
  [
    'characters of a description',
    500,
    CONFIG,
    (n) => config({ description: x(n) }),
    10422,
    '/description',
  ],
  [
    'token sources',
    4,
    CONFIG,
    (n) => config({ token_sources: many(n, (at) => header(`h${at}`)) }),
    10422,
    '/token_sources',
  ],
  [
    'characters of a token source',
    4096,
    CONFIG,
    (n) => config({ token_sources: [cookie(x(n - 27))] }),
    10422,
    '/token_sources/0',
  ],
  [
    'keys of a configuration',
    16,
    CONFIG,
    (n) => config({ credentials: { keys: keys(n) } }),
    110200,
    '/credentials/keys',
  ],
  [
    'characters of a kid',
    256,
    CONFIG,
    (n) => withKey({ ...es, kid: x(n) }),
    110200,
    '/credentials/keys/0/kid',
  ],
  [
    'characters of the address of a key set',
    2048,
    CONFIG,
    (n) => config({ credentials: { jwks_uri: `https://127.0.0.1/${x(n - 18)}` } }),
    10422,
    '/credentials/jwks_uri',
  ],
  // Of rules (spec 2.4).
  ['characters of the title of a rule', 50, RULES, (n) => rule({ title: x(n) }), 10422, '/title'],
  [
    'characters of the description of a rule',
    500,
    RULES,
    (n) => rule({ description: x(n) }),
    10422,
    '/description',
  ],
  [
    'characters of an expression',
    4096,
    RULES,
    (n) => rule({ expression: `ssl${' '.repeat(n - 3)}` }),
    10422,
    '/expression',
  ],
  ['rules in bulk', 1000, `${RULES}/bulk`, (n) => many(n, () => rule()), 10422, ''],
  // Of what rules select.
  [
    'characters of a host in a selector',
    253,
    RULES,
    (n) => rule({ selector: { include: [{ host: host(n) }] } }),
    10422,
    '/selector/include/0/host',
  ],
  [
    'characters of a host in a list of a selector',
    253,
    RULES,
    (n) => rule({ selector: { include: [{ host: [host(n)] }] } }),
    10422,
    '/selector/include/0/host/0',
  ],
  [
    'characters of an operation id in a selector',
    64,
    RULES,
    (n) => rule({ selector: { exclude: [{ operation_ids: [x(n)] }] } }),
    10422,
    '/selector/exclude/0/operation_ids/0',
  ],
  [
    'characters of an endpoint',
    4096,
    `${OPERATIONS}/item`,
    (n) => operation({ endpoint: `/${x(n - 1)}` }),
    10422,
    '/endpoint',
  ],
  [
    'characters of a host',
    253,
    `${OPERATIONS}/item`,
    (n) => operation({ host: host(n) }),
    10422,
    '/host',
  ],
  [
    'characters of the name of a schema',
    200,
    SCHEMAS,
    (n) => schema({ name: x(n) }),
    10422,
    '/name',
  ],
  // Of gates that tell of unknown keys.
  [
    'unknown keys told of at once',
    10,
    UNKNOWN_KEYS,
    (n) => unknown({ keys: many(n, (at) => ({ alg: 'ES256', kid: `${at}` })) }),
    10422,
    '/keys',
  ],
  [
    'characters of an unknown alg',
    256,
    UNKNOWN_KEYS,
    (n) => named(x(n), 'x'),
    10422,
    '/keys/0/alg',
  ],
  [
    'characters of an unknown kid',
    256,
    UNKNOWN_KEYS,
    (n) => named('x', x(n)),
    10422,
    '/keys/0/kid',
  ],
  [
    'characters of the id of a configuration',
    64,
    UNKNOWN_KEYS,
    (n) => unknown({ configuration_id: x(n) }),
    10422,
    '/configuration_id',
  ],
]

test.each(LIMITS)(
  '%s: %i pass, one more is refused',
  async (_what, max, path, body, code, pointer) => {
    const fits = await call('POST', path, body(max))
    expect([fits.status, fits.json.errors]).toEqual([200, []])
    expect(refusalOf(await call('POST', path, body(max + 1)))).toEqual([400, code, pointer])
  },
)
