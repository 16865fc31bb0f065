import { REFUSED } from '../subjects/refused-tokens.mjs'
import { ALGS } from '../subjects/tokens.mjs'

/** Unless a bound names others, as `runtimeLabel` does. */
const RUNTIMES = ['Node 20']

const ofWarm = (name) => ['decide', 'warm', name]
const ofAuth = (name) => ['auth', '16 connections', name]
const ofProxy = (name) => ['proxy', '16 connections', name]

/**
 * What must hold: the bounds that the project has set itself. A row of a result is named by suite,
 * group and name. Each bound is one of
 *
 * - `{ row, column?, atMost }`: the number itself, CPU µs unless a column is named; `atLeast` likewise
 * - `{ row, over, atMost }`: what it takes more than another row, median over rounds
 * - `{ row, partOf, atMost }`: its share of another row, median over rounds
 * - `{ everyRowOf, column, atMost }`: the worst row of a suite
 * - `{ fasterThanPeersIn }`: in every group of a suite, what is ours takes less than each peer
 *
 * with `what` it is, and the runtimes that it is `on`.
 */
export const BOUNDS = [
  {
    what: 'Warm decision, 1,000 live ES256 tokens, 100 operations, 10 rules',
    row: ofWarm('100 operations, 10 rules'),
    atMost: 0.8,
  },
  {
    what: 'The same, as a share of fast-jwt’s cached verification alone',
    row: ofWarm('100 operations, 10 rules'),
    partOf: ofWarm('fast-jwt, cached verify alone'),
    atMost: 0.5,
  },
  ...stricter([
    {
      what: 'The same, as a share of that by the token itself in place of its hash',
      row: ofWarm('100 operations, 10 rules'),
      partOf: ofWarm('fast-jwt, cached by the token itself'),
      atMost: 0.5,
    },
  ]),
  {
    what: 'Warm decision, 1,000 operations and 200 rules, against 10 and 2',
    row: ofWarm('1,000 operations, 200 rules'),
    partOf: ofWarm('10 operations, 2 rules'),
    atMost: 1.3,
  },
  ...cold('decide', 'node:crypto alone', ['Node 20', 'Node 24'], {
    HS256: 2.5,
    RS256: 3,
    PS256: 3,
    ES256: 3,
  }),
  ...stricter(
    cold('decide', 'the quickest calls known', ['Node 20', 'Node 24'], { HS256: 2.5, RS256: 3 }),
  ),
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
  ...ALGS.map((alg) => ({
    what: `Cold decision ${alg}, a bad signature against a good one`,
    row: ['decide', `cold ${alg}`, 'bad signature'],
    partOf: ['decide', `cold ${alg}`, 'valid'],
    atMost: 1,
  })),
  ...[...REFUSED.keys()].flatMap((kind) =>
    ['verify', 'whole decision'].map((what) => ({
      what: `Rejected, ${what}: ${kind}`,
      row: ['rejects', kind, `portcullis: ${what}`],
      atMost: 1.5,
    })),
  ),
  ...['auth-request', 'forward-auth', 'ext-authz'].map((dialect) => ({
    what: `Auth service, warm, ${dialect}, over a bare node:http`,
    row: ofAuth(`portcullis, ${dialect}`),
    over: ofAuth('bare node:http'),
    atMost: 4,
  })),
  ...['RS256', 'ES256'].map((alg) => ({
    what: `Auth service, warm, against HAProxy’s jwt_verify ${alg}`,
    row: ['http', alg, 'portcullis, ext-authz'],
    partOf: ['http', alg, 'HAProxy jwt_verify'],
    atMost: 1,
  })),
  {
    what: 'Reverse proxy, warm, 1 KiB, over a bare undici dispatch',
    row: ofProxy('portcullis, 100 operations, 10 rules'),
    over: ofProxy('bare undici dispatch'),
    atMost: 5,
  },
  ...['an embedded engine', 'a gate process'].flatMap((where) => [
    {
      what: `Flood of 1,000,000 distinct bad tokens, ${where}: good ones found`,
      row: ['flood', where, 'good tokens found in the cache'],
      column: 'percent',
      atLeast: 99,
    },
    {
      what: `Flood, ${where}: growth of resident memory`,
      row: ['flood', where, 'growth of resident memory, at most'],
      column: 'mb',
      atMost: 64,
    },
  ]),
  ...[
    ['Negotiation, a header not seen before', 'a header not seen before', 'portcullis', 1.5],
    ['Negotiation, a header seen before', 'a header seen before', 'portcullis', 0.2],
    ['Rendering JSON', 'rendering error 1020', 'application/json', 3],
  ].map(([what, group, name, atMost]) => ({ what, row: ['negotiate', group, name], atMost })),
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
  })),
  {
    what: 'Pages at 100,000 rows against those at 1,000',
    everyRowOf: 'lists',
    column: 'ratio',
    atMost: 2,
  },
].map((bound) => ({ on: RUNTIMES, ...bound }))

/** Held against more than was set: told all the same, lest a comparison seem chosen. */
function stricter(bounds) {
  return bounds.map((bound) => ({ ...bound, what: `${bound.what}: stricter than set` }))
}

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
