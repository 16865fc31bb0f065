import { ALL, complement, DIGIT, foldCase, NEWLINE, POSIX, SPACE, WORD } from './byte-set.js'
import type { ByteSet } from './byte-set.js'
import { ASSERTIONS } from './syntax.js'
import type { Regex } from './syntax.js'
import { PatternError } from '../pattern-error.js'
import { bytesOf } from '../value.js'

/** How deep groups, classes and repetitions of repetitions may go. */
const MAX_DEPTH = 250

const ASSERTION = /[\^$]|\\[AzbB]/y
const BLANK = /(?:[ \t-\r]|#.*)+/y
const CODE = /x([\da-fA-F]{2})|[xuU]\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})/y
const COUNT = /[*+?]|\{(\d+)(,?)(\d*)\}/y
const GROUP = /\?(?:P?<([A-Za-z_][\w.[\]]*)>|([imsxU]*)(?:-([imsxuU]+))?([:)]))/y
/** As much of an unknown group as says what it is. */
const OPENING = /\(\?(?:<?[=!]|[a-zA-Z-]+\)?|[^]?)/y
const POSIX_CLASS = /\[:(\^?)([a-z]+):\]/y
const RANGE = /-(?![\]-])/y

const CONTROLS = new Map([...'afnrtv'].map((name, index) => [name, '\x07\f\n\r\t\v'.charAt(index)]))

/** Sets by the letter of their escape. */
const CLASSES: ReadonlyMap<string, ByteSet> = new Map([
  ['d', DIGIT],
  ['D', complement(DIGIT)],
  ['s', SPACE],
  ['S', complement(SPACE)],
  ['w', WORD],
  ['W', complement(WORD)],
])

const OPERATIONS: ReadonlyMap<string, (left: ByteSet, right: ByteSet) => ByteSet> = new Map([
  ['&&', (left, right) => left & right],
  ['--', (left, right) => left & complement(right)],
  ['~~', (left, right) => left ^ right],
])

/** What is asked for most among what has no linear-time search, or needs Unicode's tables. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, 'look-around '],
  [/^\\\d/, 'the backreference '],
  [/^\\p/i, 'the Unicode class '],
]

/** What a group that only sets flags leaves behind: nothing that can be repeated. */
const FLAGS_ONLY: Regex = { kind: 'sequence', parts: [] }

/**
 * Reads a regular expression in the syntax of Rust's, without Unicode mode.
 *
 * @throws {PatternError} naming the construct that is wrong or not supported
 */
export function parseRegex(pattern: string): Regex {
  const parser = new Parser(pattern)
  const regex = parser.choice()
  if (parser.index < pattern.length) parser.fail('unopened )')
  return regex
}

class Parser {
  index = 0
  private readonly text: string
  private depth = 0
  private flags = ''
  private readonly names = new Set<string>()

  constructor(text: string) {
    this.text = text
  }

  fail(message: string, start = this.index): never {
    throw new PatternError(message, start, Math.max(this.index, start + 1))
  }

  choice(): Regex {
    const choices: Regex[] = []
    let parts: Regex[] = []
    for (;;) {
      this.skipBlank()
      const char = this.text[this.index]
      if (char === undefined || char === ')') break
      if (this.eat('|')) {
        choices.push(join('sequence', parts))
        parts = []
      } else {
        parts.push('*+?{'.includes(char) ? this.repeat(parts.pop()) : this.atom())
      }
    }
    return join('choice', [...choices, join('sequence', parts)])
  }

  private eat(spelling: string): boolean {
    const found = this.text.startsWith(spelling, this.index)
    if (found) this.index += spelling.length
    return found
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.index
    const match = pattern.exec(this.text)
    if (match) this.index = pattern.lastIndex
    return match
  }

  private skipBlank(): void {
    if (this.flags.includes('x')) this.match(BLANK)
  }

  private deepen(start: number): void {
    if (++this.depth > MAX_DEPTH) this.fail('nested too deeply', start)
  }

  private unknownGroup(start: number): never {
    this.index = start
    this.match(OPENING)
    return this.unsupported(start)
  }

  private unsupported(start: number): never {
    const construct = this.text.slice(start, this.index)
    const [, kind = ''] = KINDS.find(([pattern]) => pattern.test(construct)) ?? []
    return this.fail(`${kind}${construct} is not supported`, start)
  }

  /** A repetition of the part before. Greedy or lazy, it finds the same. */
  private repeat(body: Regex | undefined): Regex {
    const start = this.index
    const [sign, least, comma, most] =
      this.match(COUNT) ?? this.fail('write a repetition as {2}, {2,} or {2,5}, or \\{')
    this.eat('?')
    if (!body || body === FLAGS_ONLY) this.fail(`nothing to repeat before ${sign}`, start)
    // Repetitions side by side nest as groups do, but never close.
    if (body.kind === 'repeat') this.deepen(start)
    const min = Number(least ?? (sign === '+' ? 1 : 0))
    const max = most ? Number(most) : least && !comma ? min : sign === '?' ? 1 : Infinity
    if (min > max) this.fail('the repetition ends before it begins', start)
    return { kind: 'repeat', body, min, max }
  }

  private atom(): Regex {
    const start = this.index
    const [assertion] = this.match(ASSERTION) ?? []
    if (assertion) {
      const multiline = this.flags.includes('m') && ASSERTIONS.get(`m${assertion}`)
      return { kind: 'assertion', mask: multiline || (ASSERTIONS.get(assertion) ?? 0) }
    }
    if (this.eat('(')) return this.group(start)
    if (this.eat('[')) return this.set(this.bracket(start))
    if (this.eat('.')) return this.set(this.flags.includes('s') ? ALL : complement(NEWLINE))
    const member = this.member()
    if (typeof member !== 'string') return this.set(member)
    const bytes = Array.from(bytesOf(member), (byte) => this.set(1n << BigInt(byte.charCodeAt(0))))
    return join('sequence', bytes)
  }

  private set(set: ByteSet): Regex {
    return { kind: 'set', set: this.fold(set) }
  }

  private fold(set: ByteSet): ByteSet {
    return this.flags.includes('i') ? foldCase(set) : set
  }

  private group(start: number): Regex {
    const before = this.flags
    this.deepen(start)
    if (this.text[this.index] === '?') {
      const [, name, on = '', off = '', mark] = this.match(GROUP) ?? []
      if (mark === undefined && !name) this.unknownGroup(start)
      if (name && this.names.has(name)) this.fail(`two groups are named ${name}`, start)
      if (name) this.names.add(name)
      this.flags = [...(before + on)].filter((flag) => !off.includes(flag)).join('')
      if (mark === ')') {
        if (!on && !off) this.unknownGroup(start)
        this.depth--
        return FLAGS_ONLY
      }
    }
    const regex = this.choice()
    if (!this.eat(')')) this.fail('unclosed group', start)
    this.flags = before
    this.depth--
    return regex
  }

  /** A character, or the set of an escape. */
  private member(): ByteSet | string {
    const start = this.index
    if (!this.eat('\\')) return this.next()
    const [, byte, ...codes] = this.match(CODE) ?? []
    if (byte) return 1n << BigInt(`0x${byte}`)
    const code = parseInt(codes.find((digits) => digits) ?? '', 16)
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) this.unsupported(start)
    if (code >= 0) return String.fromCodePoint(code)
    const char = this.next()
    const meaning = CLASSES.get(char) ?? CONTROLS.get(char)
    if (meaning === undefined && !/[ -/:;=?@[-`{-~]/.test(char)) this.unsupported(start)
    return meaning ?? char
  }

  private next(): string {
    const code = this.text.codePointAt(this.index)
    const char = code === undefined ? '' : String.fromCodePoint(code)
    this.index += char.length
    return char
  }

  /** A class, behind its opening bracket. */
  private bracket(start: number): ByteSet {
    this.deepen(start)
    const negated = this.eat('^')
    let result: ByteSet | undefined
    let operation: ((left: ByteSet, right: ByteSet) => ByteSet) | undefined
    let set = 0n
    this.skipBlank()
    while (this.eat('-')) set |= 1n << 45n
    if (!set && this.eat(']')) set |= 1n << 93n
    for (;;) {
      this.skipBlank()
      const next = OPERATIONS.get(this.text.slice(this.index, this.index + 2))
      if (next || this.text[this.index] === ']') {
        result = operation && result !== undefined ? operation(result, set) : set
        this.index += next ? 2 : 1
        if (!next) break
        operation = next
        set = 0n
      } else {
        set |= this.item(start)
      }
    }
    this.depth--
    return negated ? complement(result) : result
  }

  /** A nested class, a range, or one member of a class. */
  private item(open: number): ByteSet {
    const start = this.index
    const [posix, not, name = ''] = this.match(POSIX_CLASS) ?? []
    const named = POSIX.get(name)
    if (named) return not ? complement(this.fold(named)) : this.fold(named)
    if (posix) this.index = start
    if (this.eat('[')) return this.bracket(start)
    const low = this.byte(open)
    this.skipBlank()
    if (!this.match(RANGE)) return this.fold(low)
    this.skipBlank()
    const high = this.byte(open)
    // A set of one byte is a power of two.
    if (low > high || (low & (low - 1n)) | (high & (high - 1n))) {
      this.fail('a range goes from one byte up to another', start)
    }
    return this.fold((high << 1n) - low)
  }

  private byte(open: number): ByteSet {
    const start = this.index
    const member = this.member()
    if (typeof member !== 'string') return member
    if (member === '') this.fail('unclosed class', open)
    if (member > '\x7f') this.fail(`${member} in a class is not supported, it is no byte`, start)
    return 1n << BigInt(member.charCodeAt(0))
  }
}

function join(kind: 'sequence' | 'choice', parts: readonly Regex[]): Regex {
  const [only] = parts
  return only && parts.length === 1 ? only : { kind, parts }
}
