import { bytesOf } from '../value.js'
import { ALL, fold } from './byte-set.js'
import type { ByteSet } from './byte-set.js'
import { bracket, member, setOf, unsupported } from './member.js'
import type { Assertion, Pattern } from './pattern.js'
import { EDGE, LETTER, LINE } from './side.js'

const starts: Assertion = (before) => before === EDGE
const ends: Assertion = (_, after) => after === EDGE
const wordEdge: Assertion = (before, after) => (before === LETTER) !== (after === LETTER)

/** The assertions by their spelling, with an `m` before it in multi-line mode. */
const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['\\A', starts],
  ['^', starts],
  ['m^', (before) => before <= LINE],
  ['\\z', ends],
  ['$', ends],
  ['m$', (_, after) => after <= LINE],
  ['\\b', wordEdge],
  ['\\B', (before, after) => !wordEdge(before, after)],
])

/** Writes the steps of a part that goes on at `next`, the last first, and tells where it begins. */
type Emit = (next: number) => number

/** What a group that only sets flags leaves behind: nothing that can be repeated. */
const FLAGS_ONLY: Emit = (next) => next

/** Reads alternatives up to a closing parenthesis or the end. */
export function choice(p: Pattern): Emit {
  let parts: Emit[] = []
  const choices = [parts]
  let repeated = false
  for (p.skip(); p.at < p.text.length && !p.sees(/\)/y); p.skip()) {
    if (p.eat('|')) choices.push((parts = []))
    else {
      const repeats = p.sees(/[*+?{]/y)
      // Repetitions side by side nest as groups do, but never close.
      if (repeats && repeated) p.deepen(p.at)
      parts.push(repeats ? repeat(p, parts.pop()) : atom(p))
      repeated = repeats
    }
  }
  const sequences = choices.map(sequence)
  return (next) =>
    sequences
      .map((emit) => emit(next))
      .reduceRight((others, entry) => p.step(undefined, entry, others))
}

const sequence =
  (parts: readonly Emit[]): Emit =>
  (next) =>
    parts.reduceRight((entry, emit) => emit(entry), next)

/** A repetition of the part before. Greedy or lazy, it finds the same. */
function repeat(p: Pattern, body?: Emit): Emit {
  const start = p.at
  const [sign, least, comma, most] = p.match(/[*+?]|\{(\d+)(,?)(\d*)\}/y)
  if (!sign) p.fail('a repetition is {2}, {2,} or {2,5}')
  p.eat('?')
  if (!body || body === FLAGS_ONLY) return p.fail(`nothing to repeat before ${sign}`, start)
  const min = Number(least ?? (sign === '+' ? 1 : 0))
  const max = most ? Number(most) : least && !comma ? min : sign === '?' ? 1 : Infinity
  if (min > max) p.fail('the repetition ends before it begins', start)
  return (next) => {
    let entry = next
    let copies = min
    if (max === Infinity) {
      const loop = p.step(undefined, next, next)
      const inner = body(loop)
      p.steps[loop] = [undefined, inner, next]
      entry = min === 0 ? loop : inner
      copies--
    } else {
      for (let times = min; times < max; times++) entry = p.step(undefined, body(entry), next)
    }
    for (; copies > 0; copies--) {
      const again = body(entry)
      // A body without steps is the same however often it comes.
      if (again === entry) break
      entry = again
    }
    return entry
  }
}

function atom(p: Pattern): Emit {
  const start = p.at
  const [place] = p.match(/[\^$]|\\[AzbB]/y)
  if (place) {
    const inLines = p.flags.includes('m') && ASSERTIONS.get(`m${place}`)
    const assertion = inLines || ASSERTIONS.get(place)
    return (next) => p.step(assertion, next)
  }
  if (p.eat('(')) return group(p, start)
  if (p.eat('[')) return byte(p, bracket(p, start))
  if (p.eat('.')) return byte(p, p.flags.includes('s') ? ALL : ALL ^ setOf(10))
  const read = member(p)
  if (typeof read !== 'string') return byte(p, read)
  return sequence(Array.from(bytesOf(read), (char) => byte(p, setOf(char.charCodeAt(0)))))
}

function byte(p: Pattern, set: ByteSet): Emit {
  const digits = fold(p, set).toString(2).padStart(256, '0')
  return (next) => p.step(digits, next)
}

function group(p: Pattern, start: number): Emit {
  const { flags, names } = p
  p.deepen(start)
  if (p.sees(/\?/y)) {
    const [, name = '', on = '', off = '', mark] = p.match(
      /\?(?:P?<([A-Za-z_][\w.[\]]*)>|([imsxU]*)(?:-([imsxuU]+))?([:)]))/y,
    )
    if (names.has(name)) p.fail(`two groups are named ${name}`, start)
    if (name) names.add(name)
    else if (!mark || (mark === ')' && !on && !off)) {
      // As much of an unknown group as says what it is.
      p.at = start
      p.match(/\(\?(?:<?[=!]|[a-zA-Z-]+\)?|[^]?)/y)
      unsupported(p, start)
    }
    p.flags = [...(flags + on)].filter((flag) => !off.includes(flag)).join('')
    if (mark === ')') {
      p.depth--
      return FLAGS_ONLY
    }
  }
  const inner = choice(p)
  if (!p.eat(')')) p.fail('unclosed group', start)
  p.flags = flags
  p.depth--
  return inner
}
