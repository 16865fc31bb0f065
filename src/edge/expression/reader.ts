import { Cursor } from './cursor.js'
import type { Span } from './cursor.js'
import { ExpressionError, positionOf } from './error.js'
import type { ErrorDetail, ExpressionErrorCode } from './error.js'
import type { ExpressionNotice } from './predicate.js'
import type { Scheme } from './scheme.js'
import { fieldsOf } from './scheme.js'
import { suggest } from './suggest.js'
import type { Type } from './value.js'

/** An expression as it is read, the scheme it is read by and what was found in it so far. */
export class Reader extends Cursor {
  readonly scheme: Scheme
  readonly fields: ReadonlyMap<string, Type>
  readonly uses = {
    fields: [] as string[],
    functions: [] as string[],
    configurations: [] as string[],
    lists: [] as string[],
    everyConfiguration: false,
  }
  readonly warnings: ExpressionNotice[] = []
  /** Each place over all elements of what is at a key, which may not be there. */
  readonly optional: (readonly [what: string, key: string, span: Span])[] = []
  faulty: ExpressionError | undefined
  #nesting: number

  constructor(source: string, scheme: Scheme) {
    super(source)
    this.scheme = scheme
    this.fields = fieldsOf(scheme)
    this.#nesting = scheme.maxNesting ?? 128
  }

  /** Moves over whitespace. */
  skip(): void {
    this.match(/[ \t\r\n]+/y)
  }

  /** Moves over whitespace and a mark, which must stand there. */
  close(mark: string): void {
    this.skip()
    if (!this.eat(mark)) this.expected(mark)
  }

  /** Reads what nests at an offset, as deep as that is allowed. */
  nested<Result>(start: number, read: () => Result): Result {
    if (--this.#nesting < 0) this.fail('too_deep', 'nested too deeply', { start, end: start + 1 })
    const result = read()
    this.#nesting++
    return result
  }

  /** Ends the reading, for what cannot be read. */
  fail(...fault: Parameters<Reader['fault']>): never {
    this.faulty = undefined
    this.fault(...fault)
    throw this.faulty
  }

  /** Ends it because something else stands at the cursor. */
  expected(expected: string): never {
    const start = this.at
    const [found = 'the end'] = this.match(/[\w.]+|[^]/y)
    this.faulty = undefined
    this.wrong('expected', expected, this.from(start), found)
    throw this.faulty
  }

  /**
   * Keeps the first fault of what can be read but has no meaning, and lets the reading go on: what
   * cannot be read comes before it. Until then an empty string stands for what should be there.
   */
  fault(code: ExpressionErrorCode, message: string, span: Span, detail?: ErrorDetail): '' {
    this.faulty ??= new ExpressionError(code, message, this.text, span, detail)
    return ''
  }

  /** A fault because something else is found at a place. */
  wrong(
    code: ExpressionErrorCode,
    expected: string,
    span: Span,
    found: string = this.text.slice(span.start, span.end),
  ): '' {
    return this.fault(code, `expected ${expected}, found ${found}`, span, { expected, found })
  }

  /** A fault because of a name that is not known, with the one that may have been meant. */
  unknown(what: Unknown, names: Iterable<string>, span: Span, name: string): '' {
    const detail = { found: name, suggestion: suggest(name, names) }
    return this.fault(`unknown_${what}`, `unknown ${what} ${name}`, span, detail)
  }

  /** Notes what is legal and perhaps not meant. */
  warn(code: ExpressionNotice['code'], message: string, { start, end }: Span): void {
    this.warnings.push({ code, message, start, end, ...positionOf(this.text, start) })
  }

  /** Notes a name that is used. */
  use(what: 'fields' | 'functions' | 'configurations' | 'lists', name: string): void {
    const names = this.uses[what]
    if (!names.includes(name)) names.push(name)
  }

  /** Notes a token configuration, which must be known where it is known which ones there are. */
  useConfiguration(id: string, span: Span): void {
    const { configurations } = this.scheme
    if (configurations && !configurations.includes(id)) {
      this.unknown('configuration', configurations, span, id)
    }
    this.use('configurations', id)
  }
}

type Unknown = 'field' | 'function' | 'list' | 'configuration'
