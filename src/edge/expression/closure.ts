import type { Facts } from './predicate.js'
import type { Typed, TypedPlace } from './typed.js'
import type { Value } from './value.js'

/** Asks the facts for the value of an expression. Never throws. */
export type Ask = (facts: Facts) => Value | undefined

/** Stands between an expression and who asks it; the way to watch an evaluation. */
export type Probe = (typed: Typed, ask: Ask) => Ask

type List = readonly Value[]
type Bools = readonly boolean[]

const NOTHING: List = []

/** Turns a checked expression into closures, each of them seen once by the probe. */
export function close(typed: Typed, probe: Probe): Ask {
  const part = (inner: Typed): Ask => close(inner, probe)
  return probe(typed, closeWith(typed, part))
}

function closeWith(typed: Typed, part: (inner: Typed) => Ask): Ask {
  switch (typed.kind) {
    case 'literal':
      return () => typed.value
    case 'not':
      return typed.type === 'Bool' ? not(part(typed.operand)) : notEach(part(typed.operand))
    case 'any':
    case 'all':
      return quantify(part(typed.operand), typed.kind)
    case 'comparison':
      return compare(part(typed.left), typed)
    case 'or':
    case 'xor':
    case 'and': {
      const parts = typed.operands.map(part)
      return typed.type === 'Bool' ? combine(parts, typed.kind) : combineEach(parts, typed.kind)
    }
    default:
      return follow(begin(typed, part), typed.path)
  }
}

function not(ask: Ask): Ask {
  return (facts) => ask(facts) !== true
}

function notEach(ask: Ask): Ask {
  return (facts) => (ask(facts) as Bools | undefined)?.map((value) => !value)
}

/** A missing array satisfies neither; an empty one satisfies `all`. */
function quantify(ask: Ask, kind: 'any' | 'all'): Ask {
  return kind === 'any'
    ? (facts) => (ask(facts) as Bools | undefined)?.includes(true) === true
    : (facts) => (ask(facts) as Bools | undefined)?.includes(false) === false
}

function compare(ask: Ask, { left, test, missing }: Typed & { kind: 'comparison' }): Ask {
  if (left.each) return (facts) => (ask(facts) as List).map(test)
  return (facts) => {
    const value = ask(facts)
    return value === undefined ? missing : test(value)
  }
}

type Logic = 'or' | 'xor' | 'and'

function combine(parts: readonly Ask[], kind: Logic): Ask {
  const [first, second, ...others] = parts
  if (!first || !second) return first ?? (() => undefined)
  const pair = combinePair(first, second, kind)
  return others.length > 0 ? combine([pair, ...others], kind) : pair
}

function combinePair(left: Ask, right: Ask, kind: Logic): Ask {
  switch (kind) {
    case 'or':
      return (facts) => left(facts) === true || right(facts) === true
    case 'and':
      return (facts) => left(facts) === true && right(facts) === true
    case 'xor':
      return (facts) => (left(facts) === true) !== (right(facts) === true)
  }
}

/** Element by element, as far as the shortest goes. */
function combineEach(parts: readonly Ask[], kind: Logic): Ask {
  return (facts) => {
    const arrays = parts.map((part) => part(facts) as Bools | undefined)
    return arrays.reduce((left, right) => left && right && join(left, right, kind))
  }
}

function join(left: Bools, right: Bools, kind: Logic): Bools {
  const shorter = left.length < right.length ? left : right
  return shorter.map((_, at) => {
    const [a, b] = [left[at] === true, right[at] === true]
    return kind === 'or' ? a || b : kind === 'and' ? a && b : a !== b
  })
}

/** The value of a field or call before its indexes. */
function begin(typed: TypedPlace, part: (inner: Typed) => Ask): Ask {
  if (typed.kind === 'field') {
    const { name } = typed
    return (facts) => facts.field(name)
  }
  if (typed.kind === 'token') {
    const { configuration, valid } = typed
    return valid
      ? (facts) => facts.token(configuration) === 'valid'
      : (facts) => facts.token(configuration) !== 'absent'
  }
  return call(typed, typed.args.map(part))
}

function call({ args, run, total }: TypedPlace & { kind: 'call' }, asks: readonly Ask[]): Ask {
  const [first, second] = asks
  const [subject] = args
  if (first && subject && 'each' in subject && subject.each) {
    return mapped(first, asks.slice(1), run, total)
  }
  if (total || !first || asks.length > 2) {
    return (facts) =>
      apply(
        run,
        asks.map((ask) => ask(facts)),
        total,
      )
  }
  if (!second) {
    return (facts) => {
      const value = first(facts)
      return value === undefined ? undefined : run(value)
    }
  }
  return (facts) => {
    const value = first(facts)
    if (value === undefined) return undefined
    const other = second(facts)
    return other === undefined ? undefined : run(value, other)
  }
}

type Run = (TypedPlace & { kind: 'call' })['run']

/** The results for each element, without those that are missing. */
function mapped(first: Ask, others: readonly Ask[], run: Run, total: boolean): Ask {
  return (facts) => {
    const rest = others.map((ask) => ask(facts))
    return (first(facts) as List)
      .map((value) => apply(run, [value, ...rest], total))
      .filter((value) => value !== undefined)
  }
}

function apply(
  run: Run,
  values: readonly (Value | undefined)[],
  total: boolean,
): Value | undefined {
  return total || !values.includes(undefined) ? run(...values) : undefined
}

/** The value at the end of a path. From the first `[*]` on, values are lists without the missing. */
function follow(base: Ask, path: TypedPlace['path']): Ask {
  let ask = base
  let each = false
  for (const at of path) {
    ask = at === undefined ? spread(ask, each) : each ? indexEach(ask, at) : index(ask, at)
    each ||= at === undefined
  }
  return ask
}

function index(ask: Ask, at: string | number): Ask {
  return (facts) => {
    const value = ask(facts)
    return value === undefined ? undefined : pick(value, at)
  }
}

function indexEach(ask: Ask, at: string | number): Ask {
  return (facts) =>
    (ask(facts) as List).map((value) => pick(value, at)).filter((value) => value !== undefined)
}

function pick(value: Value, at: string | number): Value | undefined {
  return typeof at === 'string'
    ? (value as ReadonlyMap<string, Value>).get(at)
    : (value as List)[at]
}

function spread(ask: Ask, each: boolean): Ask {
  if (each) return (facts) => (ask(facts) as List).flatMap(elements)
  return (facts) => {
    const value = ask(facts)
    return value === undefined ? NOTHING : elements(value)
  }
}

function elements(value: Value): List {
  return Array.isArray(value)
    ? (value as List)
    : [...(value as ReadonlyMap<string, Value>).values()]
}
