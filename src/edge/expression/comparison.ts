import { node } from './node.js'
import type { Make, Node } from './node.js'
import { OPERATORS } from './operand.js'
import { place } from './place.js'
import type { Reader } from './reader.js'
import type { List } from './value.js'

/** Other spellings of operators. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['eq', '=='],
  ['ne', '!='],
  ['ge', '>='],
  ['le', '<='],
  ['gt', '>'],
  ['lt', '<'],
  ['bitwise_and', '&'],
  ['~', 'matches'],
])

/** A place and, if an operator stands behind it, what it is compared with. */
export function comparison(r: Reader): Node {
  const left = place(r)
  const { start, end, type } = left
  r.skip()
  const [word = ''] = r.match(
    /[=!<>]=|[<>~]|&(?!&)|strict[ \t\r\n]+wildcard(?!\.?\w)|\w+(?:\.\w+)*/y,
  )
  const operator = SPELLINGS.get(word) ?? word.replace(/\s+/, ' ')
  const known = OPERATORS.get(operator)
  if (!known) {
    r.at = end
    return left
  }
  const [types, read] = known
  if (left.kind === 'literal') {
    r.unknown('field', r.fields.keys(), left, r.text.slice(start, end))
  }
  if (!types.includes(type)) {
    r.fault('unsupported_operator', `${operator} cannot compare ${type}`, left, { found: type })
  }
  r.skip()
  const test = read(r, type)
  const missing = operator === '!=' && r.scheme.nilNotEqual === true
  const make: Make = left.each
    ? (ask) => (facts) => (ask(facts) as List).map(test)
    : (ask) => (facts) => {
        const value = ask(facts)
        return value === undefined ? missing : test(value)
      }
  return node('comparison', left.each ? 'Array<Bool>' : 'Bool', r.from(start), [left], make)
}
