import { call } from './call.js'
import type { Span } from './cursor.js'
import { parseInteger } from './integer.js'
import { PLAIN, quoted } from './literal.js'
import { constant, node } from './node.js'
import type { Ask, Index, Make, Node } from './node.js'
import type { Reader } from './reader.js'
import { elementOf, elements, textOf } from './value.js'
import type { List, Table, Type, Value } from './value.js'

/** A field or call with its indexes, or `true` or `false` where no fields are named so. */
export function place(r: Reader): Node {
  const start = r.at
  const [name = ''] = r.match(/\w+(?:\.\w+)*/y)
  if (!name) r.expected('a field, a function or (')
  const span = r.from(start)
  if (r.match(/[ \t\r\n]*\(/y)[0]) return call(r, name, span)
  const type = r.fields.get(name)
  if (type === undefined) {
    const isConstant = /^(?:true|false)$/.test(name) && !r.sees(/\[/y)
    if (isConstant) return constant('Bool', span, name === 'true')
    r.unknown('field', r.fields.keys(), span, name)
  }
  r.use('fields', name)
  const field = indexed(r, 'field', type ?? '', span, [], () => (facts) => facts.field(name))
  const [first] = field.indexes ?? []
  const key = first?.at
  if (/^http\.request\.jwt\.claims(?:\.|$)/.test(name)) {
    if (typeof key === 'string') r.useConfiguration(textOf(key), first as Span)
    else r.uses.everyConfiguration = true
  }
  if (typeof key === 'string') {
    if (field.each) r.optional.push([name, key, field])
    if (/^(?:raw\.)?http\.re(?:quest|sponse)\.headers$/.test(name) && /[A-Z]/.test(key)) {
      r.warn('upper_case_header', `header names are lower-case here, unlike ${key}`, first as Span)
    }
  }
  return field
}

/** A value with the indexes that follow it. */
export function indexed(
  r: Reader,
  kind: string,
  base: Type,
  { start }: Span,
  parts: readonly Node[],
  make: Make,
): Node {
  const indexes: Index[] = []
  let type = base
  for (let from = r.at; r.eat('['); from = r.at) {
    r.skip()
    const at = indexOf(r)
    r.close(']')
    const span = r.from(from)
    const element = elementOf(type)
    if (element === undefined) r.fault('bad_index', `${type} has no elements`, span)
    const wanted = type.startsWith('Map') ? 'string' : 'number'
    if (at !== undefined && typeof at !== wanted) {
      r.wrong('bad_index', `a ${wanted} in brackets`, span)
    }
    type = element ?? ''
    indexes.push({ at, ...span })
  }
  const each = indexes.some(({ at }) => at === undefined)
  return node(kind, type, r.from(start), parts, (...asks) => follow(make(...asks), indexes), {
    each,
    indexes,
  })
}

function indexOf(r: Reader): Index['at'] {
  const most = 2 ** 32 - 1
  if (r.eat('*')) return
  if (r.sees(/"/y)) return quoted(r)
  const start = r.at
  const [text = ''] = r.match(PLAIN)
  if (!text) r.expected('*, a string or a number')
  const value = Number(parseInteger(text))
  if (value >= 0 && value <= most) return value
  return r.fail('bad_index', `${text} is no index`, r.from(start))
}

/** The value at the end of a path. From the first `[*]` on, values are lists without the missing. */
function follow(base: Ask, indexes: readonly Index[]): Ask {
  let ask = base
  let listed = false
  for (const { at } of indexes) {
    const before = ask
    const missing = at === undefined ? [] : undefined
    const step = (value: Value): Value | undefined =>
      at === undefined
        ? elements(value)
        : typeof at === 'string'
          ? (value as Table).get(at)
          : (value as List)[at]
    ask = listed
      ? (facts) => {
          const values = (before(facts) as List).map(step).filter((value) => value !== undefined)
          return at === undefined ? values.flat() : values
        }
      : (facts) => {
          const value = before(facts)
          return value === undefined ? missing : step(value)
        }
    listed ||= at === undefined
  }
  return ask
}
