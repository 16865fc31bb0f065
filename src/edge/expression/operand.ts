import { literal, raw, string, unclosed } from './literal.js'
import { membership, readRange } from './members.js'
import type { Member } from './members.js'
import type { Ip } from './ip.js'
import type { Reader } from './reader.js'
import { compileRegex } from './regex/compile.js'
import { bytesOf } from './value.js'
import type { Type, Value } from './value.js'
import { compileWildcard } from './wildcard.js'

/** What a comparison with a known right side asks of the left. */
export type Test = (value: Value) => boolean

/** Reads what stands right of an operator when there is such a type on its left. */
type Operand = (r: Reader, type: Type) => Test

const ORDERED = ['Bytes', 'Int', 'Ip']

/** Operators by their first spelling: the types they compare, and their right sides. */
export const OPERATORS: ReadonlyMap<string, readonly [types: readonly Type[], read: Operand]> =
  new Map([
    ['==', [ORDERED, comparing((right) => (value) => value === right)]],
    ['!=', [ORDERED, comparing((right) => (value) => value !== right, true)]],
    ['>=', [ORDERED, comparing((right) => (value) => value >= right)]],
    ['<=', [ORDERED, comparing((right) => (value) => value <= right)]],
    ['>', [ORDERED, comparing((right) => (value) => value > right)]],
    ['<', [ORDERED, comparing((right) => (value) => value < right)]],
    ['in', [ORDERED, (r, type) => membership(type, list(r, type) ?? set(r, type))]],
    ['&', [['Int'], masking]],
    [
      'contains',
      [['Bytes'], comparing((right) => (value) => (value as string).includes(right as string))],
    ],
    ['matches', [['Bytes'], pattern]],
    ['wildcard', [['Bytes'], (r) => wildcard(r, false)]],
    ['strict wildcard', [['Bytes'], (r) => wildcard(r, true)]],
  ])

/** JavaScript orders Ints among themselves, and bytes, as is meant. */
function comparing(order: (right: Value) => Test, unequal = false): Operand {
  return (r, type) => {
    const right = literal(r, type)
    if (type !== 'Ip') return order(right)
    const { version, value } = right as Ip
    const test = order(value)
    return (left) => {
      const ip = left as Ip
      // Addresses of two families are unequal and in no order.
      return ip.version === version ? test(ip.value) : unequal
    }
  }
}

/** Whether an Int and a mask have a bit in common. */
function masking(r: Reader): Test {
  const mask = literal(r, 'Int') as number | bigint
  const wide = BigInt(mask)
  const narrow = Number(mask) | 0
  return (value) =>
    // The operators of numbers see 32 bits.
    narrow === mask && (Number(value) | 0) === value
      ? (value & narrow) !== 0
      : (BigInt(value as number) & wide) !== 0n
}

function wildcard(r: Reader, strict: boolean): Test {
  const start = r.at
  const text = string(r)
  if (text === undefined) return r.expected('a quoted or raw string')
  const limit = r.scheme.wildcardStarLimit ?? Infinity
  return compileWildcard(text, strict, limit, (message) =>
    r.fault('bad_wildcard', `wildcard: ${message}`, r.from(start)),
  )
}

/** A quoted or raw regular expression. Its escapes are its own, `\"` being one of them. */
function pattern(r: Reader): Test {
  const start = r.at
  const quoted = r.match(/"((?:[^"\\[]|\\[^]|\[(?:[^\]\\]|\\[^])*\])*)"/y)[1]
  if (quoted === undefined && r.sees(/"/y)) unclosed(r, start)
  const text = quoted ?? raw(r) ?? r.expected('a quoted or raw string')
  const first = r.text.indexOf('"', start) + 1
  return compileRegex(text, (message, from, to) => {
    const span = { start: first + from, end: first + to }
    return r.fail('bad_regex', `regular expression: ${message}`, span)
  }) as Test
}

function list(r: Reader, type: Type): Member[] | undefined {
  const start = r.at
  if (!r.eat('$')) return
  const [name = ''] = r.match(/[a-z0-9_.]+/y)
  if (!/^[^.](?:.*[^.])?$/.test(name)) {
    const message = 'a list is named like $my.list_1'
    r.fail('bad_list_name', message, r.from(start))
  }
  const lists = new Map(Object.entries(r.scheme.lists?.[type] ?? {}))
  const items = lists.get(name) ?? []
  if (!lists.has(name)) r.unknown('list', lists.keys(), r.from(start), name)
  r.use('lists', name)
  return items.map((item) => listMember(item, type, name))
}

/** An item of a list, which comes from the scheme: what is wrong there is no fault of the text. */
function listMember(item: unknown, type: Type, name: string): Member {
  if (type === 'Bytes' && typeof item === 'string') return bytesOf(item)
  const range = readRange(`${item}`, type)
  if (!range || isEmpty(range)) {
    throw new TypeError(`the list ${name} of ${type} cannot hold ${String(item)}`)
  }
  return range
}

function set(r: Reader, type: Type): Member[] {
  const start = r.at
  if (!r.eat('{')) r.expected('{ or $')
  const members = new Map<string, Member>()
  const read = type === 'Bytes' ? undefined : (text: string) => readRange(text, type)
  for (r.skip(); !r.eat('}'); r.skip()) {
    const first = r.at
    const member = literal(r, type, 'a literal or }', read) as Member
    const span = r.from(first)
    if (isEmpty(member)) r.fault('bad_range', 'nothing is in this range', span)
    const key = `${member}`
    if (members.has(key)) r.warn('duplicate_item', 'this item is in the set already', span)
    members.set(key, member)
  }
  if (members.size === 0) r.warn('empty_set', 'nothing is in an empty set', r.from(start))
  return [...members.values()]
}

/** Whether a range ends before it begins, or the host bits of a CIDR are not zero. */
const isEmpty = (member: Member): boolean => typeof member === 'object' && member[0] > member[1]
