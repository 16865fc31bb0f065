import { setImmediate as turn } from 'node:timers/promises'

/** Resolves with the first signal that tells a command to end. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}

/** Whether it has come by now: what fails then, such as a worker that the same Ctrl-C ends, is no fault. */
export const hasCome = (stopped: Promise<void>): Promise<boolean> =>
  Promise.race([stopped.then(() => true), turn(false)])
