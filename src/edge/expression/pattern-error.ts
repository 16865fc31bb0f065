/** A text that is no wildcard or no regular expression, and where in it that shows. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
  readonly start: number
  readonly end: number

  constructor(message: string, start: number = 0, end: number = Infinity) {
    super(message)
    this.start = start
    this.end = end
  }
}
