import { compile, ExpressionError } from '../../../src/edge/expression/index.js'
import type { Predicate, Scheme, TokenState } from '../../../src/edge/expression/index.js'

/** A scheme with a field of every shape; the tests of the language are written for it. */
export const scheme: Scheme = {
  fields: {
    t: 'Bool',
    f: 'Bool',
    n: 'Int',
    s: 'Bytes',
    ip: 'Ip',
    a: 'Array<Bytes>',
    b: 'Array<Bytes>',
    ns: 'Array<Int>',
    ips: 'Array<Ip>',
    bools: 'Array<Bool>',
    m: 'Map<Array<Bytes>>',
    mb: 'Map<Bytes>',
    mn: 'Map<Int>',
    flags: 'Map<Bool>',
    nested: 'Array<Array<Bool>>',
    lists: 'Map<Array<Bool>>',
    deep: 'Map<Map<Array<Bytes>>>',
    nothing: 'Bool',
    'x.1xxx_code': 'Int',
    'x.1xxx': 'Bytes',
    'http.request.headers': 'Map<Array<Bytes>>',
  },
  lists: {
    Int: { even: [2, 4, 6n, '8..12'] },
    Bytes: { names: ['ann', 'émile'] },
    Ip: { 'cf.home': ['10.0.0.0/8', '::1'] },
  },
}

export const values: Record<string, unknown> = {
  t: true,
  f: false,
  n: 7,
  s: 'Hello',
  ip: '10.1.2.3',
  a: ['one', 'two', 'three'],
  b: ['one', 'TWO'],
  ns: [1, 2, 3],
  ips: ['10.0.0.1', '::1'],
  bools: [true, false],
  m: { k: ['x', 'y'], empty: [] },
  mb: { k: 'v' },
  mn: { k: 5 },
  flags: { on: true, off: false },
  nested: [[true], [false]],
  lists: { k: [true, true] },
  deep: { o: { i: ['z'] } },
  nothing: true,
  'x.1xxx_code': 1020,
  'x.1xxx': 'code',
  'http.request.headers': { accept: ['text/html'] },
}

const tokens = new Map<string, TokenState>([
  ['good', 'valid'],
  ['bad', 'invalid'],
])
export const token = (id: string): TokenState => tokens.get(id) ?? 'absent'

/** What an expression answers in this world, with some values of its own. */
export function answer(source: string, own: Record<string, unknown> = {}): boolean {
  return compile(source, scheme).evaluate({ ...values, ...own }, token)
}

/** The error that a text gives. */
export function errorOf(source: string, world: Scheme = scheme): ExpressionError {
  return errorFrom(() => compile(source, world))
}

export function errorFrom(run: () => Predicate | object): ExpressionError {
  try {
    run()
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new TypeError('no error')
}
