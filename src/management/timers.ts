import type { ManagementOptions } from './management.js'

/** The timers of the runtime. What they return stops them. */
export const TIMERS: Required<Pick<ManagementOptions, 'every' | 'later'>> = {
  every(milliseconds, run) {
    const timer = setInterval(run, milliseconds)
    return () => clearInterval(timer)
  },
  later(milliseconds, run) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}
