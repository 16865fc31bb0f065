import { ExpressionError } from './error.js'
import type { ErrorDetail, ExpressionErrorCode } from './error.js'
import { PrecedenceParser } from './jsep.js'
import type { Pattern, Plain, Text } from './syntax.js'
import { bytesOf } from './value.js'

const MAX_HASHES = 255
const ESCAPE = /\\(?:(["\\])|x([0-9a-fA-F]{2})|([0-3][0-7]{2}))/y
const RAW = /r(#*)("?)/y
const PLAIN = /[\w:./-]+/y

/** The tokens of the language, read at a cursor. */
export abstract class Lexer extends PrecedenceParser {
  fail(
    code: ExpressionErrorCode,
    message: string,
    start: number,
    end: number = start + 1,
    detail?: ErrorDetail,
  ): never {
    throw new ExpressionError(code, message, this.expr, start, end, detail)
  }

  /** Complains of what stands at the cursor. */
  expected(what: string): never {
    const found = this.peek(/[\w.]+|[^]/y)?.[0] ?? 'the end'
    const message = `expected ${what}, found ${found}`
    const width = found === 'the end' ? 1 : found.length
    return this.fail('expected', message, this.index, this.index + width, { expected: what, found })
  }

  /** Matches a sticky pattern at the cursor without moving it. */
  peek(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.index
    return pattern.exec(this.expr)
  }

  /** Moves over a spelling when it stands at the cursor. */
  eat(spelling: string): boolean {
    const found = this.expr.startsWith(spelling, this.index)
    if (found) this.index += spelling.length
    return found
  }

  /** Moves over whitespace and a closing or separating mark. */
  close(mark: string): void {
    this.gobbleSpaces()
    if (!this.eat(mark)) this.expected(mark)
  }

  /** A quoted or raw string, if one begins here. */
  text(): Text | undefined {
    const start = this.index
    const value = this.expr[start] === '"' ? this.quoted() : this.raw()
    return value === undefined ? undefined : { kind: 'text', value, start, end: this.index }
  }

  /** A number, address, range or byte string, if one begins here. */
  plain(): Plain | undefined {
    const text = this.peek(PLAIN)?.[0]
    if (text === undefined) return
    const start = this.index
    this.index += text.length
    return { kind: 'plain', text, start, end: this.index }
  }

  quoted(): string {
    const start = this.index++
    let value = ''
    let chunk = this.index
    for (; !this.eat('"');) {
      const char = this.expr[this.index]
      if (char === undefined) this.unclosed(start)
      if (char !== '\\') {
        this.index++
        continue
      }
      const [escape, itself, hex, octal] = this.peek(ESCAPE) ?? this.badEscape()
      value += bytesOf(this.expr.slice(chunk, this.index))
      value += itself ?? String.fromCharCode(hex ? parseInt(hex, 16) : parseInt(octal ?? '', 8))
      chunk = this.index += escape.length
    }
    return value + bytesOf(this.expr.slice(chunk, this.index - 1))
  }

  /** A quoted or raw regular expression. */
  pattern(): Pattern | undefined {
    const start = this.index
    if (this.expr[start] === '"') return this.quotedPattern()
    const value = this.raw(true)
    if (value === undefined) return
    const first = this.expr.indexOf('"', start) + 1
    const offsets = Array.from({ length: value.length }, (_, index) => first + index)
    return { kind: 'pattern', text: value, offsets, start, end: this.index }
  }

  private quotedPattern(): Pattern {
    const start = this.index++
    const offsets: number[] = []
    let text = ''
    let inClass = false
    for (; inClass || this.expr[this.index] !== '"'; this.index++) {
      let char = this.expr[this.index] ?? this.unclosed(start)
      if (char === '[') inClass = true
      if (char === ']') inClass = false
      if (char === '\\') {
        const next = this.expr[++this.index] ?? this.unclosed(start)
        // Escapes belong to the regular expression, but for the quote outside a class.
        char = next === '"' && !inClass ? next : char + next
      }
      for (let count = 0; count < char.length; count++)
        offsets.push(this.index - char.length + 1 + count)
      text += char
    }
    this.index++
    return { kind: 'pattern', text, offsets, start, end: this.index }
  }

  /** The value of a raw string, as bytes unless `asText`. */
  private raw(asText = false): string | undefined {
    const start = this.index
    const [opening, hashes = '', quote] = this.peek(RAW) ?? []
    if (opening === undefined || opening === 'r') return
    const first = start + opening.length
    if (!quote) this.fail('bad_raw_string', 'expected " after r#', start, first)
    if (hashes.length > MAX_HASHES) {
      this.fail('bad_raw_string', `more than ${MAX_HASHES} # in a raw string`, start, first)
    }
    const last = this.expr.indexOf(`"${hashes}`, first)
    if (last < 0) this.unclosed(start)
    this.index = last + 1 + hashes.length
    const text = this.expr.slice(first, last)
    return asText ? text : bytesOf(text)
  }

  private unclosed(start: number): never {
    return this.fail('bad_string', 'missing closing quote', start, this.expr.length)
  }

  private badEscape(): never {
    const message = 'bad escape, write \\" \\\\ \\xHH or \\OOO'
    return this.fail('bad_escape', message, this.index, this.index + 2)
  }
}
