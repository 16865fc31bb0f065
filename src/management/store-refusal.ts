import { ApiError, CODES, notFound } from './http/index.js'
import { dialectOf, MissingRow, type Database, type StoreFault } from './store/index.js'

/** Makes answers of what the store throws; `undefined` of what is a fault of the software. */
export const storeRefusal =
  (db: Database) =>
  (cause: unknown): ApiError | undefined => {
    if (cause instanceof MissingRow) return notFound()
    const fault = dialectOf(db)?.faultOf?.(cause)
    return fault && unavailable(fault)
  }

const TEXTS: Readonly<Record<StoreFault, string>> = {
  away: 'the store does not answer; try again later',
  busy: 'the store is busy; try again later',
  read_only: 'the store can only be read at present',
  full: 'the disk of the store is full',
}

/** The answer to a call that the store could not serve. It tells nothing of where the store is. */
const unavailable = (fault: StoreFault): ApiError =>
  new ApiError(503, CODES.unavailable, TEXTS[fault], undefined, { headers: { 'Retry-After': '1' } })
