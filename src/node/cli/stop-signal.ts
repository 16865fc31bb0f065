import { setImmediate as turn } from 'node:timers/promises'

/** Open requests have 10 s; what is still there after these waits for somebody who reads no output. */
const LONGEST_MS = 15_000

/** Resolves with the first signal that tells a command to end. The process ends soon after it. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      resolve()
      setTimeout(() => process.exit(), LONGEST_MS).unref()
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}

/** Whether it has come by now: what fails then, such as a worker that the same Ctrl-C ends, is no fault. */
export const hasCome = (stopped: Promise<void>): Promise<boolean> =>
  Promise.race([stopped.then(() => true), turn(false)])
