import type { Span } from './cursor.js'

/** The reasons for which a text is not an expression; stable, unlike the messages. */
export type ExpressionErrorCode =
  | 'too_long'
  | 'too_deep'
  | 'expected'
  | 'unexpected_input'
  | 'bad_string'
  | 'bad_escape'
  | 'bad_raw_string'
  | 'bad_integer'
  | 'bad_ip'
  | 'bad_bytes'
  | 'bad_range'
  | 'bad_regex'
  | 'bad_wildcard'
  | 'bad_list_name'
  | 'bad_index'
  | 'bad_map_each'
  | 'bad_source'
  | 'unknown_field'
  | 'unknown_function'
  | 'unknown_list'
  | 'unknown_configuration'
  | 'unsupported_operator'
  | 'type_mismatch'
  | 'argument_count'
  | 'argument_kind'
  | 'argument_type'
  | 'argument_value'

/** What an error may know besides its place. */
export interface ErrorDetail {
  readonly expected?: string
  readonly found?: string
  readonly suggestion?: string | undefined
}

/** Where a span begins, both counted from 1; a column is a UTF-16 unit of its line. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The line and column of an offset. */
export function positionOf(source: string, offset: number): Position {
  const before = source.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** A text that is not an expression: what is wrong, where, and what may have been meant. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  declare readonly code: ExpressionErrorCode
  declare readonly source: string
  declare readonly start: number
  declare readonly end: number
  declare readonly line: number
  declare readonly column: number
  declare readonly expected?: string
  declare readonly found?: string
  declare readonly suggestion?: string

  constructor(
    code: ExpressionErrorCode,
    message: string,
    source: string,
    { start, end }: Span,
    detail: ErrorDetail = {},
  ) {
    super(detail.suggestion ? `${message}; did you mean ${detail.suggestion}?` : message)
    const found = { code, source, start, end: Math.min(end, source.length) }
    Object.assign(this, found, positionOf(source, start), detail)
  }

  /** Three lines: the message, the line of the source, and carets under what is meant. */
  get frame(): string {
    // As much of a line as is shown, in characters.
    const window = 100
    const { source, start, end, column } = this
    const from = start - Math.min(column - 1, window / 2)
    const [shown = ''] = source.slice(from, from + window).split('\n', 1)
    // A tab stays a tab, so that the carets stand below what they mean.
    const margin = source.slice(from, start).replace(/[^\t]/g, ' ')
    const carets = '^'.repeat(Math.max(1, Math.min(end - from, shown.length) - margin.length))
    return `${this.message.replaceAll('\n', ' ')}\n${shown}\n${margin}${carets}`
  }

  override toString(): string {
    return this.frame
  }
}
