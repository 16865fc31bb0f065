/** How long a caller is held up. */
const WAIT_MS = 50

/**
 * Waits for work that is under way, while that is quick: after a time that took longer the next
 * caller is not held up at all.
 */
export function briefly(settled: () => Promise<void>): () => Promise<void> {
  let quick = true
  return async () => {
    const start = performance.now()
    const done = settled().then(() => void (quick = performance.now() - start < WAIT_MS))
    if (!quick) return
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)))
    await Promise.race([done, enough])
    clearTimeout(timer)
  }
}
