/**
 * Work of a request waits behind one slice for each of its turns: what comes in, what upstream
 * answers. A few of them stay well below what anybody notices.
 */
const SLICE_MS = 2

/** A pause for work in pieces: after a slice of it, whatever else there is to do comes first. */
export function givingWay(): () => Promise<void> | undefined {
  let start = performance.now()
  return () => {
    if (performance.now() - start < SLICE_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        start = performance.now()
        resolve()
      })
    })
  }
}
