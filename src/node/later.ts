/**
 * Calls `run` once, in so many milliseconds, unless the returned function is called before.
 * It keeps no process alive.
 */
export function later(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds).unref()
  return () => clearTimeout(timer)
}
