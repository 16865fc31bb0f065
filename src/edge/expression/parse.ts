import { applying } from './apply.js'
import { argument } from './call.js'
import { comparison } from './comparison.js'
import type { Run } from './functions/signature.js'
import { not, notEach, pairOfEach, PAIRS, quantifiers } from './logic.js'
import { node } from './node.js'
import type { Node } from './node.js'
import type { Reader } from './reader.js'
import { elements } from './value.js'

/** What joins expressions, the weakest first. A word ends where something else begins. */
const LOGIC = [
  ['or', /[ \t\r\n]*(?:or(?=\W)|\|\|)/y],
  ['xor', /[ \t\r\n]*(?:xor(?=\W)|\^\^)/y],
  ['and', /[ \t\r\n]*(?:and(?=\W)|&&)/y],
] as const
/** What no place begins with. */
export const PREFIX: RegExp = /[(!]|not(?!\.?\w)|(any|all)[ \t\r\n]*\(/y

/** Reads a text to its end as an expression, of whatever type. */
export function parse(r: Reader): Node {
  const most = 4096
  const { text } = r
  // A character has at most two units, so a text of any length is refused without being read.
  if (text.length > 2 * most || [...text].length > most) {
    const span = { start: 0, end: text.length }
    r.fail('too_long', `an expression may have ${most} characters`, span)
  }
  r.match(/\s+/y)
  const root = logical(r)
  r.match(/\s+/y)
  const rest = text.slice(r.at).trimEnd()
  if (!rest) return root
  const [found] = rest.split(/\s/, 1)
  const message = `unexpected ${found}, where the expression should end`
  const span = { start: r.at, end: r.at + rest.length }
  return r.fail('unexpected_input', message, span, { found: rest })
}

/** Runs of one operator are one expression; those of stronger ones are its parts. */
export function logical(r: Reader, level = 0): Node {
  const [kind, operator] = LOGIC[level] ?? []
  if (!kind) return simple(r)
  r.skip()
  const start = r.at
  const first = logical(r, level + 1)
  if (!r.sees(operator)) return first
  const parts = [truth(r, first)]
  const type = parts[0]?.type ?? ''
  while (r.match(operator)[0]) {
    const part = truth(r, logical(r, level + 1))
    if (part.type !== type) mismatch(r, type, part)
    parts.push(part)
  }
  const pair = type === 'Bool' ? PAIRS[kind] : pairOfEach(PAIRS[kind])
  return node(kind, type, r.from(start), parts, (...asks) =>
    asks.reduce((left, right) => pair(left, right)),
  )
}

/** What stands between the operators. */
function simple(r: Reader): Node {
  r.skip()
  const start = r.at
  const [prefix, quantifier] = r.match(PREFIX)
  if (!prefix) return comparison(r)
  return r.nested(start, () => {
    if (quantifier) return quantified(r, start, quantifier as 'any' | 'all')
    if (prefix === '(') {
      const inner = logical(r)
      r.close(')')
      return { ...inner, grouped: true }
    }
    const part = truth(r, simple(r))
    return node('not', part.type, r.from(start), [part], part.type === 'Bool' ? not : notEach)
  })
}

function quantified(r: Reader, start: number, kind: 'any' | 'all'): Node {
  const known = r.optional.length
  const operand = argument(r)
  r.close(')')
  const part = truth(r, operand)
  if (part.type !== 'Array<Bool>') mismatch(r, 'Array<Bool>', part)
  for (const [what, key, span] of kind === 'all' ? r.optional.slice(known) : []) {
    const message = `all() holds when ${what} has no ${key}; ask has_key() too`
    r.warn('all_over_optional', message, span)
  }
  return node(kind, 'Bool', r.from(start), [part], quantifiers[kind])
}

/** What stands without a comparison: a Bool, or an array or map of them. */
export function truth(r: Reader, bare: Node): Node {
  const { type } = bare
  if (bare.each) r.fault('bad_map_each', '[*] needs a comparison behind it', bare)
  if (type === 'Map<Bool>')
    return node('call', 'Array<Bool>', bare, [bare], applying(elements as Run))
  if (type !== 'Bool' && type !== 'Array<Bool>') mismatch(r, 'a comparison', bare)
  return bare
}

function mismatch(r: Reader, expected: string, part: Node): void {
  const { type } = part
  r.wrong(type ? 'type_mismatch' : 'argument_type', expected, part, type || undefined)
}
