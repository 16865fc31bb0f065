import type { Outbound } from '../http/index.js'

/** For a management that has none. */
export const noWayOut: Outbound = () =>
  Promise.reject(Object.assign(new Error('there is no way out from here'), { code: 'no_way_out' }))
