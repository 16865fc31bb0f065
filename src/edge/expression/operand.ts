import { masking, ordering, orderingOfIp } from './compare.js'
import type { Test } from './compare.js'
import { fail, mismatch, warn } from './context.js'
import type { Context } from './context.js'
import type { Ip } from './ip.js'
import { plainKind, readPlain, warnOfOctal } from './literal.js'
import { membership, readRange } from './members.js'
import type { Member } from './members.js'
import { unknown } from './names.js'
import { PatternError } from './pattern-error.js'
import { compileRegex } from './regex/compile.js'
import type { List, Literal, LiteralSet, Operator, Plain, Span, Text } from './syntax.js'
import type { Type, TypedPlace } from './typed.js'
import { bytesOf, canonicalInt } from './value.js'
import type { Value } from './value.js'
import { compileWildcard } from './wildcard.js'

const ORDER = ['==', '!=', '>=', '<=', '>', '<', 'in']

/** The operators of each type; all other types have none. */
const OPERATORS: ReadonlyMap<Type, ReadonlySet<string>> = new Map([
  ['Int', new Set([...ORDER, '&'])],
  ['Ip', new Set(ORDER)],
  ['Bytes', new Set([...ORDER, 'contains', 'matches', 'wildcard', 'strict wildcard'])],
])

/** What an operator and its literal ask of a value of the type on their left. */
export function checkOperand(
  left: TypedPlace,
  operator: Operator,
  right: Literal,
  context: Context,
): Test {
  const { type } = left
  if (!OPERATORS.get(type)?.has(operator)) {
    const message = `${operator} cannot compare ${type}`
    fail(context, 'unsupported_operator', message, left, { found: type })
  }
  if (right.kind === 'set') return membership(checkSet(right, type, context))
  if (right.kind === 'list') return membership(checkList(right, type, context))
  if (right.kind === 'pattern') {
    const make = (): Test => compileRegex(right.text) as Test
    return checkPattern(right, right.from, 'bad_regex', make, context)
  }
  if (operator.endsWith('wildcard')) {
    const text =
      right.kind === 'text'
        ? right.value
        : mismatch('expected', 'a quoted or raw string', right, context)
    const strict = operator === 'strict wildcard'
    const make = (): Test => compileWildcard(text, strict, context.world.wildcardStarLimit)
    return checkPattern(right, right.start, 'bad_wildcard', make, context)
  }
  const value = checkLiteral(right, type, context)
  if (operator === 'contains') return (text) => (text as string).includes(value as string)
  if (operator === '&') return masking(value as number)
  const order = type === 'Ip' ? orderingOfIp(operator, value as Ip) : ordering(operator, value)
  return order ?? fail(context, 'unsupported_operator', `${operator} cannot compare`, right)
}

function checkLiteral(node: Text | Plain, type: Type, context: Context): Value {
  if (node.kind === 'text' && type === 'Bytes') return node.value
  const value = node.kind === 'plain' ? readPlain(node, type, context) : undefined
  const { code, what = type } = plainKind(type) ?? {}
  return value ?? mismatch(code ?? 'type_mismatch', what, node, context)
}

/** A wildcard or regular expression; `from` is where its first character is. */
function checkPattern(
  node: Span,
  from: number,
  code: 'bad_regex' | 'bad_wildcard',
  make: () => Test,
  context: Context,
): Test {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const start = Math.min(from + error.start, node.end - 1)
    const end = Math.min(from + error.end, node.end)
    const what = code === 'bad_regex' ? 'regular expression' : 'wildcard'
    return fail(context, code, `${what}: ${error.message}`, { start, end })
  }
}

function checkSet({ items, ...set }: LiteralSet, type: Type, context: Context): Member[] {
  if (items.length === 0) warn(context, 'empty_set', 'nothing is in an empty set', set)
  const seen = new Set<string>()
  return items.map((item) => {
    const member = checkMember(item, type, context)
    const key =
      typeof member === 'string' ? member : `${member.version} ${member.low} ${member.high}`
    if (seen.has(key)) warn(context, 'duplicate_item', 'this item is in the set already', item)
    seen.add(key)
    return member
  })
}

function checkMember(node: Text | Plain, type: Type, context: Context): Member {
  if (type === 'Bytes' || node.kind === 'text') return checkLiteral(node, type, context) as string
  const range = readRange(node.text, type)
  if (range === 'bad_range') {
    const reason = node.text.includes('/') ? 'the host bits are not zero' : 'it is out of order'
    return fail(context, 'bad_range', `${node.text} is no range, ${reason}`, node)
  }
  if (type === 'Int') for (const text of node.text.split('..')) warnOfOctal(node, text, context)
  return range ?? (checkLiteral(node, type, context) as never)
}

function checkList({ name, ...at }: List, type: Type, context: Context): Member[] {
  const lists = context.world.lists.get(type)
  const items = lists?.get(name) ?? unknown('unknown_list', name, lists?.keys() ?? [], at, context)
  context.lists.add(name)
  return items.map((item) => listMember(item, type, name))
}

/** An item of a list, which comes from the scheme: what is wrong there is no fault of the text. */
function listMember(item: unknown, type: Type, name: string): Member {
  if (type === 'Bytes' && typeof item === 'string') return bytesOf(item)
  const number = typeof item === 'bigint' ? canonicalInt(item) : item
  const range = readRange(String(number), type)
  if (!range || range === 'bad_range') {
    throw new TypeError(`the list ${name} of ${type} cannot hold ${String(item)}`)
  }
  return range
}
