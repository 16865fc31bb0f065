import { ALL, fold, SETS } from './byte-set.js'
import type { ByteSet } from './byte-set.js'
import type { Pattern } from './pattern.js'

/** What joins the parts of a class, before the first of which stands nothing. */
const OPERATIONS: ReadonlyMap<string, (left: ByteSet, right: ByteSet) => ByteSet> = new Map([
  ['', (_, right) => right],
  ['&&', (left, right) => left & right],
  ['--', (left, right) => left & ~right],
  ['~~', (left, right) => left ^ right],
])

/** What is asked for most among what has no linear-time search, or needs Unicode's tables. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, 'look-around '],
  [/^\\\d/, 'the backreference '],
  [/^\\p/i, 'the Unicode class '],
]

/** Complains of what was read from an offset on. */
export function unsupported(p: Pattern, start: number): never {
  const construct = p.text.slice(start, p.at)
  const [, kind = ''] = KINDS.find(([pattern]) => pattern.test(construct)) ?? []
  return p.fail(`${kind}${construct} is not supported`, start)
}

export const setOf = (byte: number): ByteSet => 1n << BigInt(byte)

/** A character, or the set of an escape; nothing at the end. */
export function member(p: Pattern): ByteSet | string {
  const start = p.at
  if (!p.eat('\\')) return character(p)
  const [, byte, ...codes] = p.match(
    /x([\da-fA-F]{2})|[xuU]\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})/y,
  )
  if (byte) return setOf(parseInt(byte, 16))
  const code = parseInt(codes.find((digits) => digits) ?? '', 16)
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) unsupported(p, start)
  if (code >= 0) return String.fromCodePoint(code)
  const char = character(p)
  const meaning = SETS.get(char)
  if (meaning === undefined && !/[ -/:;=?@[-`{-~]/.test(char)) unsupported(p, start)
  return meaning ?? char
}

const character = (p: Pattern): string => p.match(/[^]/uy)[0] ?? ''

/** A class, behind its opening bracket. */
export function bracket(p: Pattern, start: number): ByteSet {
  p.deepen(start)
  const negated = p.eat('^')
  let operation = ''
  let result = 0n
  let set = 0n
  p.skip()
  while (p.eat('-')) set = setOf(45)
  if (!set && p.eat(']')) set = setOf(93)
  for (;;) {
    p.skip()
    const [next] = p.match(/&&|--|~~/y)
    if (next || p.eat(']')) {
      result = OPERATIONS.get(operation)!(result, set)
      if (!next) break
      operation = next
      set = 0n
    } else {
      set |= item(p, start)
    }
  }
  p.depth--
  return negated ? ALL ^ result : result
}

/** A nested class, a range, or one member of a class. */
function item(p: Pattern, open: number): ByteSet {
  const start = p.at
  const [, not, name = ''] = p.match(/\[:(\^?)([a-z]{2,}):\]/y)
  const named = SETS.get(name)
  if (named) return not ? ALL ^ fold(p, named) : fold(p, named)
  p.at = start
  if (p.eat('[')) return bracket(p, start)
  const low = one(p, open)
  p.skip()
  if (!p.match(/-(?![\]-])/y)[0]) return fold(p, low)
  p.skip()
  const high = one(p, open)
  // A set of one byte is a power of two.
  if (low > high || (low & (low - 1n)) | (high & (high - 1n))) {
    p.fail('a range goes from one byte up to another', start)
  }
  return fold(p, (high << 1n) - low)
}

function one(p: Pattern, open: number): ByteSet {
  const start = p.at
  const read = member(p)
  if (typeof read !== 'string') return read
  if (read === '') p.fail('unclosed class', open)
  if (read > '\x7f') p.fail(`${read} in a class is no byte`, start)
  return setOf(read.charCodeAt(0))
}
