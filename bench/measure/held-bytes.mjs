import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that stay after a collection of garbage: the heap, and what lies outside it. */
export async function heldBytes() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  for (let times = 0; times < 3; times++) {
    collect()
    // What waits for a turn of the event loop before it is let go.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
