/** Work that may be left between any two of its pieces, and what it comes to. */
export type Work<Result> = Generator<void, Result, void>

/** Does all of it now. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
