import { ApiError, CODES } from './http/index.js'
import type { StoreFault } from './store/index.js'

const TEXTS: Readonly<Record<StoreFault, string>> = {
  away: 'the store does not answer; try again later',
  busy: 'the store is busy; try again later',
  read_only: 'the store can only be read at present',
  full: 'the disk of the store is full',
}

/** The answer to a call that the store could not serve. It tells nothing of where the store is. */
export const storeUnavailable = (fault: StoreFault): ApiError =>
  new ApiError(503, CODES.unavailable, TEXTS[fault], undefined, { headers: { 'Retry-After': '1' } })
