import { compileRegex as compile } from '../../../src/edge/expression/regex/compile.js'

/** What a regular expression was refused for, and where. */
export class PatternError extends Error {
  readonly start: number
  readonly end: number

  constructor(message: string, start: number, end: number) {
    super(message)
    this.start = start
    this.end = end
  }
}

/** A search that throws what it complains of. */
export function compileRegex(pattern: string): (bytes: string) => boolean {
  return compile(pattern, (message, start, end) => {
    throw new PatternError(message, start, end)
  })
}
