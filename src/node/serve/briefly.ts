/** How long a caller is held up. */
const WAIT_MS = 50
/** Time for an answer to be on its way. */
const AFTERWARDS_MS = 5

/**
 * Work that callers wait for while it is quick: after a time that took longer it is begun when the
 * caller has gone on, since what computes holds up everybody, waiting or not.
 */
export function briefly(work: () => Promise<void>): () => Promise<void> {
  let quick = true

  async function timed(): Promise<void> {
    const start = performance.now()
    await work()
    quick = performance.now() - start < WAIT_MS
  }

  return async () => {
    if (!quick) return void setTimeout(() => void timed(), AFTERWARDS_MS)
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)))
    await Promise.race([timed(), enough])
    clearTimeout(timer)
  }
}
