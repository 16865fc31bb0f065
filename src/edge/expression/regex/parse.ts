import { ALL, complement, DIGIT, foldCase, NEWLINE, POSIX, SPACE, span, WORD } from './byte-set.js'
import type { ByteSet } from './byte-set.js'
import * as syntax from './syntax.js'
import { RegexError } from './syntax.js'
import type { Regex } from './syntax.js'
import { bytesOf } from '../value.js'

const MAX_HEIGHT = 250

interface Flags {
  readonly i?: boolean
  readonly m?: boolean
  readonly s?: boolean
  readonly x?: boolean
}

const COUNT = /\{(\d+)(,?)(\d*)\}/y
const FLAGS = /\?([a-zA-Z]*)(-?)([a-zA-Z]*)([:)])/y
const NAME = /\?P?<([A-Za-z_][\w.[\]]*)>/y
const LOOK = /\?<?[=!]/y
const POSIX_CLASS = /\[:(\^?)([a-z]+):\]/y
const CODE = /x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|[xuU]\{([\da-fA-F]+)\}/y
const WORD_EDGE = /b\{[a-z-]+\}|[bB]/y
const BLANK = /(?:[ \t-\r]|#.*)+/y

const CONTROLS = new Map([...'afnrtv'].map((name, index) => [name, '\x07\f\n\r\t\v'.charAt(index)]))

/** Sets by the letter of their escape; the capital letter is for all other bytes. */
const CLASSES: ReadonlyMap<string, ByteSet> = new Map([
  ['d', DIGIT],
  ['s', SPACE],
  ['w', WORD],
])

const SET_OPERATIONS: ReadonlyMap<string, (left: ByteSet, right: ByteSet) => ByteSet> = new Map([
  ['&&', (left, right) => left & right],
  ['--', (left, right) => left & complement(right)],
  ['~~', (left, right) => left ^ right],
])

const EMPTY: Regex = { kind: 'sequence', parts: [], height: 0 }
/** What a group that only sets flags leaves behind: nothing that can be repeated. */
const FLAGS_ONLY: Regex = { ...EMPTY }

/**
 * Reads a regular expression in the syntax of Rust's, without Unicode mode.
 *
 * @throws {RegexError} naming the construct that is wrong, or that has no linear-time search
 */
export function parseRegex(pattern: string): Regex {
  return new Parser(pattern).whole()
}

class Parser {
  private readonly text: string
  private index = 0
  private depth = 0
  private flags: Flags = {}
  private readonly names = new Set<string>()

  constructor(text: string) {
    this.text = text
  }

  whole(): Regex {
    const regex = this.choice()
    if (this.index < this.text.length) this.fail('unopened )')
    return regex
  }

  private fail(message: string, start = this.index, end = start + 1): never {
    throw new RegexError(message, start, Math.max(end, start + 1))
  }

  private eat(spelling: string): boolean {
    const found = this.text.startsWith(spelling, this.index)
    if (found) this.index += spelling.length
    return found
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.index
    const match = pattern.exec(this.text)
    if (match) this.index += match[0].length
    return match
  }

  private skipBlank(): void {
    if (this.flags.x) this.match(BLANK)
  }

  private choice(): Regex {
    const choices: Regex[] = []
    let parts: Regex[] = []
    for (;;) {
      this.skipBlank()
      const start = this.index
      if (start === this.text.length || this.text[start] === ')') break
      if (this.eat('|')) {
        choices.push(join('sequence', parts))
        parts = []
      } else {
        parts.push(this.repeat(parts) ?? this.atom())
      }
      if ((parts.at(-1)?.height ?? 0) > MAX_HEIGHT) this.fail('nested too deeply', start)
    }
    return join('choice', [...choices, join('sequence', parts)])
  }

  /** A repetition of the part before, if one stands here. Greedy or lazy, it finds the same. */
  private repeat(parts: Regex[]): Regex | undefined {
    const start = this.index
    const sign = this.text[start] ?? ''
    if (!'*+?{'.includes(sign)) return
    const count = sign === '{' ? this.match(COUNT) : undefined
    if (count === null) return this.fail('expected a repetition like {2}, {2,} or {2,5}; or \\{')
    if (!count) this.index++
    this.eat('?')
    const body = parts.pop()
    if (!body || body === FLAGS_ONLY) return this.fail(`nothing to repeat before ${sign}`, start)
    const [, least = '', comma, most] = count ?? []
    const min = count ? Number(least) : sign === '+' ? 1 : 0
    const max = count ? Number(most || (comma ? Infinity : least)) : sign === '?' ? 1 : Infinity
    if (min > max) this.fail('the repetition ends before it begins', start, this.index)
    return { kind: 'repeat', body, min, max, height: body.height + 1 }
  }

  private atom(): Regex {
    const { m, s } = this.flags
    if (this.eat('(')) return this.group()
    if (this.eat('[')) return this.set(this.bracket())
    if (this.eat('\\')) return this.escape()
    if (this.eat('.')) return this.set(s ? ALL : complement(NEWLINE))
    if (this.eat('^')) return assertion(m ? syntax.LINE_START : syntax.TEXT_START)
    if (this.eat('$')) return assertion(m ? syntax.LINE_END : syntax.TEXT_END)
    return this.character(this.next())
  }

  /** The code point at the cursor, which moves over it. */
  private next(): string {
    const char = String.fromCodePoint(this.text.codePointAt(this.index) ?? 0)
    this.index += char.length
    return char
  }

  private set(set: ByteSet): Regex {
    return { kind: 'set', set: this.flags.i ? foldCase(set) : set, height: 0 }
  }

  private byte(code: number): Regex {
    return this.set(span(code, code))
  }

  /** One character, which is a sequence of bytes. */
  private character(char: string): Regex {
    return join(
      'sequence',
      Array.from(bytesOf(char), (byte) => this.byte(byte.charCodeAt(0))),
    )
  }

  private group(): Regex {
    const start = this.index - 1
    const before = this.flags
    if (++this.depth > MAX_HEIGHT) this.fail('nested too deeply', start)
    if (this.text[this.index] === '?' && this.opening(start) === ')') {
      this.depth--
      return FLAGS_ONLY
    }
    const regex = this.choice()
    if (!this.eat(')')) this.fail('unclosed group', start)
    this.flags = before
    this.depth--
    return regex
  }

  /** What follows `(?`: a name, or flags and the mark behind them. */
  private opening(start: number): string {
    if (this.match(LOOK)) return this.fail('look-around is not supported', start, this.index)
    const [, name] = this.match(NAME) ?? []
    if (name !== undefined) {
      if (this.names.has(name)) this.fail(`two groups are named ${name}`, start, this.index)
      this.names.add(name)
      return ':'
    }
    const [, on = '', minus, off = '', mark] = this.match(FLAGS) ?? []
    if (!mark || (minus ? off === '' : mark === ')' && on === '')) {
      const construct = this.text.slice(start, start + 4)
      return this.fail(`the group ${construct} is not supported`, start, start + 4)
    }
    for (const flag of on + off) {
      // Greed changes nothing here. Unicode mode is off, and may be put off once more.
      if (!'imsxU'.includes(flag) && !(flag === 'u' && !on.includes('u'))) {
        const what = flag === 'u' ? 'Unicode mode (?u)' : `the flag ${flag}`
        this.fail(`${what} is not supported`, start, this.index)
      }
    }
    const changes = [...on]
      .map((flag) => [flag, true])
      .concat([...off].map((flag) => [flag, false]))
    this.flags = { ...this.flags, ...Object.fromEntries(changes) }
    return mark
  }

  private escape(): Regex {
    const start = this.index - 1
    const edge =
      this.match(WORD_EDGE)?.[0] ?? (this.eat('<') ? 'b{start}' : this.eat('>') && 'b{end}')
    if (edge) {
      return assertion(syntax.WORD_ASSERTIONS.get(edge) ?? this.unknownEscape(start))
    }
    if (this.eat('A')) return assertion(syntax.TEXT_START)
    if (this.eat('z')) return assertion(syntax.TEXT_END)
    const escaped = this.escaped(start)
    if (typeof escaped === 'bigint') return this.set(escaped)
    return typeof escaped === 'number' ? this.byte(escaped) : this.character(escaped)
  }

  /** What an escape is for: a set, a byte, or a character. */
  private escaped(start: number): ByteSet | number | string {
    const [, byte, ...codes] = this.match(CODE) ?? []
    if (byte) return parseInt(byte, 16)
    const code = parseInt(codes.find((digits) => digits) ?? '', 16)
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      this.fail('not a Unicode character', start, this.index)
    }
    if (code >= 0) return String.fromCodePoint(code)
    const char = this.next()
    const set = CLASSES.get(char.toLowerCase())
    if (set) return CLASSES.has(char) ? set : complement(set)
    const control = CONTROLS.get(char)
    if (control) return control
    if (/^[\x20-\x7e]$/.test(char) && !/[\dA-Za-z<>]/.test(char)) return char
    return this.unknownEscape(start)
  }

  private unknownEscape(start: number): never {
    const escape = this.text.slice(start, Math.max(this.index, start + 2))
    const what = /\\\d/.test(escape)
      ? `the backreference ${escape}`
      : /\\[pP]/.test(escape)
        ? `the Unicode class ${escape}`
        : `the escape ${escape}`
    return this.fail(`${what} is not supported`, start, this.index)
  }

  /** A class, behind its opening bracket. */
  private bracket(): ByteSet {
    const start = this.index - 1
    if (++this.depth > MAX_HEIGHT) this.fail('nested too deeply', start)
    const negated = this.eat('^')
    let left: ByteSet | undefined
    let operation: ((left: ByteSet, right: ByteSet) => ByteSet) | undefined
    let set = 0n
    this.skipBlank()
    while (this.eat('-')) set |= span(45, 45)
    if (set === 0n && this.eat(']')) set |= span(93, 93)
    for (;;) {
      this.skipBlank()
      if (this.index >= this.text.length) this.fail('unclosed class', start)
      const next = SET_OPERATIONS.get(this.text.slice(this.index, this.index + 2))
      const closed = !next && this.eat(']')
      if (!next && !closed) {
        set |= this.item()
        continue
      }
      left = left !== undefined && operation ? operation(left, set) : set
      if (closed) break
      this.index += 2
      operation = next
      set = 0n
    }
    this.depth--
    return negated ? complement(left) : left
  }

  /** A nested class, a range, or one member of a class. */
  private item(): ByteSet {
    const start = this.index
    const [posix, not, name = ''] = this.match(POSIX_CLASS) ?? []
    const named = POSIX.get(name)
    if (named) return not ? complement(this.fold(named)) : this.fold(named)
    if (posix) this.index = start
    if (this.eat('[')) return this.bracket()
    const low = this.member()
    this.skipBlank()
    const beforeEnd = /-(?![\]-])/y
    beforeEnd.lastIndex = this.index
    if (!beforeEnd.test(this.text)) return typeof low === 'bigint' ? low : this.fold(span(low, low))
    this.index++
    this.skipBlank()
    const high = this.index < this.text.length ? this.member() : this.fail('unclosed class', start)
    if (typeof low === 'bigint' || typeof high === 'bigint' || low > high) {
      return this.fail('a range goes from one byte up to another', start, this.index)
    }
    return this.fold(span(low, high))
  }

  private fold(set: ByteSet): ByteSet {
    return this.flags.i ? foldCase(set) : set
  }

  /** A byte, or the set of an escape. */
  private member(): ByteSet | number {
    const start = this.index
    const member = this.eat('\\') ? this.escaped(start) : this.next()
    if (typeof member !== 'string') return member
    const code = member.codePointAt(0) ?? 0
    if (code < 128) return code
    const message = `${member} in a class needs Unicode mode, which is not supported`
    return this.fail(message, start, this.index)
  }
}

const assertion = (mask: syntax.Assertion): Regex => ({ kind: 'assertion', mask, height: 0 })

function join(kind: 'sequence' | 'choice', parts: readonly Regex[]): Regex {
  const [only = EMPTY] = parts
  if (parts.length < 2) return only
  return { kind, parts, height: 1 + parts.reduce((most, { height }) => Math.max(most, height), 0) }
}
