/**
 * What must hold: the bounds that the project has set itself. A row of a result is named by suite,
 * group and name; `on` names runtimes as `runtimeLabel` does. Each bound is one of
 *
 * - `{ row, column?, atMost }`: the number itself, CPU µs unless a column is named; `atLeast` likewise
 * - `{ row, over, atMost }`: what it takes more than another row, median over rounds
 * - `{ row, partOf, atMost }`: its share of another row, median over rounds
 * - `{ everyRowOf, column, atMost }`: the worst row of a suite
 * - `{ fasterThanPeersIn }`: in every group of a suite, what is ours takes less than each peer
 */
export const BOUNDS = [
  {
    what: 'Warm decision, 1,000 live ES256 tokens, 100 operations, 10 rules',
    row: ['decide', 'warm', '100 operations, 10 rules'],
    atMost: 0.8,
    on: ['Node 20'],
  },
  {
    what: 'The same, as a share of fast-jwt’s cached verification alone',
    row: ['decide', 'warm', '100 operations, 10 rules'],
    partOf: ['decide', 'warm', 'fast-jwt, cached verify alone'],
    atMost: 0.5,
    on: ['Node 20'],
  },
  {
    what: 'Warm decision, 1,000 operations and 200 rules, against 10 and 2',
    row: ['decide', 'warm', '1,000 operations, 200 rules'],
    partOf: ['decide', 'warm', '10 operations, 2 rules'],
    atMost: 1.3,
    on: ['Node 20'],
  },
  ...cold('decide', 'node:crypto alone', ['Node 20', 'Node 24'], {
    HS256: 2.5,
    RS256: 3,
    PS256: 3,
    ES256: 3,
  }),
  ...cold('workerd', 'subtle.verify alone', ['workerd'], {
    HS256: 5,
    RS256: 5,
    PS256: 5,
    ES256: 5,
  }),
  {
    what: 'Verification, accepting and rejecting, against each peer',
    fasterThanPeersIn: 'verify',
    on: ['Node 20', 'Node 24', 'Bun'],
  },
  ...['HS256', 'RS256', 'PS256', 'ES256', 'ES384'].map((alg) => ({
    what: `Cold decision ${alg}, a bad signature against a good one`,
    row: ['decide', `cold ${alg}`, 'bad signature'],
    partOf: ['decide', `cold ${alg}`, 'valid'],
    atMost: 1,
    on: ['Node 20'],
  })),
  ...[
    'malformed: two segments',
    'malformed: a character of another alphabet',
    'malformed: 17 kB',
    'unknown kid',
    'unknown kid, each another',
    'expired',
  ].flatMap((kind) =>
    ['verify', 'whole decision'].map((what) => ({
      what: `Rejected, ${what}: ${kind}`,
      row: ['rejects', kind, `portcullis: ${what}`],
      atMost: 1.5,
      on: ['Node 20'],
    })),
  ),
  ...['auth-request', 'forward-auth', 'ext-authz'].map((dialect) => ({
    what: `Auth service, warm, ${dialect}, over a bare node:http`,
    row: ['auth', '16 connections', `portcullis, ${dialect}`],
    over: ['auth', '16 connections', 'bare node:http'],
    atMost: 4,
    on: ['Node 20'],
  })),
  ...['RS256', 'ES256'].map((alg) => ({
    what: `Auth service, warm, against HAProxy’s jwt_verify ${alg}`,
    row: ['http', alg, 'portcullis, ext-authz'],
    partOf: ['http', alg, 'HAProxy jwt_verify'],
    atMost: 1,
    on: ['Node 20'],
  })),
  {
    what: 'Reverse proxy, 1 KiB, over a bare undici dispatch',
    row: ['proxy', '16 connections', 'portcullis, one zone'],
    over: ['proxy', '16 connections', 'bare undici dispatch'],
    atMost: 5,
    on: ['Node 20'],
  },
  {
    what: 'Flood of 1,000,000 distinct bad tokens: good ones found',
    row: ['flood', undefined, 'good tokens found in the cache'],
    column: 'percent',
    atLeast: 99,
    on: ['Node 20'],
  },
  {
    what: 'Flood: growth of resident memory',
    row: ['flood', undefined, 'growth of resident memory, at most'],
    column: 'mb',
    atMost: 64,
    on: ['Node 20'],
  },
  ...[
    ['Negotiation, a header not seen before', 'a header not seen before', 'portcullis', 1.5],
    ['Negotiation, a header seen before', 'a header seen before', 'portcullis', 0.2],
    ['Rendering JSON', 'rendering error 1020', 'application/json', 3],
  ].map(([what, group, name, atMost]) => ({
    what,
    row: ['negotiate', group, name],
    atMost,
    on: ['Node 20'],
  })),
  ...[
    [
      'A saved change in force, worst of 100',
      'follow',
      'change sent -> in force',
      'worst_ms',
      1000,
    ],
    [
      'Saving a rule of a large zone',
      'save',
      'PATCH of a rule, until its answer',
      'median_ms',
      100,
    ],
    ['Compiling a large zone', 'compile', 'little by little: until in force', 'median_ms', 300],
    ['… blocks requests', 'compile', 'little by little: longest block', 'worst_ms', 20],
  ].map(([what, suite, name, column, atMost]) => ({
    what,
    row: [suite, undefined, name],
    column,
    atMost,
    on: ['Node 20'],
  })),
  {
    what: 'Pages at 100,000 rows against those at 1,000',
    everyRowOf: 'lists',
    column: 'ratio',
    atMost: 2,
    on: ['Node 20'],
  },
]

/** Cold decisions over the bare check of the signature. */
function cold(suite, floor, on, limits) {
  return Object.entries(limits).map(([alg, atMost]) => ({
    what: `Cold decision ${alg}, over ${floor}`,
    row: [suite, `cold ${alg}`, 'valid'],
    over: [suite, `cold ${alg}`, floor],
    atMost,
    on,
  }))
}
