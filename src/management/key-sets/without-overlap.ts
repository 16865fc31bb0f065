/**
 * Makes of a task one that is let be while it runs still. Of failures in a row `onFault` hears the
 * first alone: a store that is away is away for every look.
 */
export function withoutOverlap(
  task: () => Promise<void>,
  onFault: (cause: unknown) => void,
): () => void {
  let [running, failing] = [false, false]
  async function once(): Promise<void> {
    if (running) return
    running = true
    try {
      await task()
      failing = false
    } catch (cause) {
      if (!failing) onFault(cause)
      failing = true
    } finally {
      running = false
    }
  }
  return () => void once()
}
