import { ExpressionError } from './error.js'
import type { ErrorDetail, ExpressionErrorCode } from './error.js'
import { PrecedenceParser } from './jsep.js'
import type { Pattern, Plain, Text } from './syntax.js'
import { bytesOf } from './value.js'

const MAX_HASHES = 255
const QUOTED = /"((?:[^"\\]|\\[^])*)"/y
/** A quote ends a regular expression, but not after a backslash or inside a class. */
const QUOTED_PATTERN = /"((?:[^"\\[]|\\[^]|\[(?:[^\]\\]|\\[^])*\])*)"/y
const PIECE = /[^\\]+|\\(?:(["\\])|x([\da-fA-F]{2})|([0-3][0-7]{2})|[^]?)/g
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
    if (value === undefined) return
    const bytes = typeof value === 'string' ? value : bytesOf(value.text)
    return { kind: 'text', value: bytes, start, end: this.index }
  }

  /** A quoted or raw regular expression, if one begins here. */
  pattern(): Pattern | undefined {
    const start = this.index
    const quoted = this.expr[start] === '"'
    // Escapes belong to the regular expression, where an escaped quote is a quote.
    const raw = quoted ? { text: this.inside(QUOTED_PATTERN), from: start + 1 } : this.raw()
    return raw && { kind: 'pattern', ...raw, start, end: this.index }
  }

  /** A number, address, range or byte string, if one begins here. */
  plain(): Plain | undefined {
    const text = this.peek(PLAIN)?.[0]
    if (text === undefined) return
    const start = this.index
    this.index += text.length
    return { kind: 'plain', text, start, end: this.index }
  }

  /** The bytes of a quoted string. */
  quoted(): string {
    let at = this.index + 1
    let bytes = ''
    for (const [piece, itself, hex, octal] of this.inside(QUOTED).matchAll(PIECE)) {
      const code = hex ? parseInt(hex, 16) : octal ? parseInt(octal, 8) : undefined
      if (code === undefined && !itself && piece.startsWith('\\')) {
        this.fail('bad_escape', 'write \\" \\\\ \\xHH or \\OOO', at, at + piece.length)
      }
      bytes += code === undefined ? (itself ?? bytesOf(piece)) : String.fromCharCode(code)
      at += piece.length
    }
    return bytes
  }

  private inside(quoted: RegExp): string {
    const start = this.index
    const [whole, inner = ''] =
      this.peek(quoted) ?? this.fail('bad_string', 'missing closing quote', start, this.expr.length)
    this.index += whole.length
    return inner
  }

  /** The text of a raw string, and where it begins. */
  private raw(): { readonly text: string; readonly from: number } | undefined {
    const start = this.index
    const [opening = 'r', hashes = '', quote] = this.peek(RAW) ?? []
    if (opening === 'r') return
    const from = start + opening.length
    if (!quote || hashes.length > MAX_HASHES) {
      this.fail('bad_raw_string', `expected " after r and at most ${MAX_HASHES} #`, start, from)
    }
    const end = this.expr.indexOf(`"${hashes}`, from)
    if (end < 0) this.fail('bad_string', 'missing closing quote', start, this.expr.length)
    this.index = end + 1 + hashes.length
    return { text: this.expr.slice(from, end), from }
  }
}
