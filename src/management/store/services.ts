import type { Database } from './database.js'
import type { Sealer } from './sealed.js'

/** What areas work with. Time, names and dice come from outside. */
export interface Services {
  readonly db: Database
  readonly sealer: Sealer
  /** A fresh UUID. */
  readonly newId: () => string
  readonly random: (bytes: number) => Uint8Array
  /** Epoch µs. */
  readonly at: () => number
}
