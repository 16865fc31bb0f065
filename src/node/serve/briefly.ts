/**
 * Waits for work that is under way, while that is quick: after a time that took longer the next
 * caller is not held up at all.
 *
 * @param longestMs how long a caller is held up
 */
export function briefly(settled: () => Promise<void>, longestMs: number): () => Promise<void> {
  let quick = true
  return async () => {
    const start = performance.now()
    const done = settled().then(() => void (quick = performance.now() - start < longestMs))
    if (!quick) return
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, longestMs)))
    await Promise.race([done, enough])
    clearTimeout(timer)
  }
}
