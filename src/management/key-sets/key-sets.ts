import type { Outbound } from '../http/index.js'
import type { Services } from '../store/index.js'
import type { KeySetRef } from './stored-key-sets.js'

/** Keys that tokens name and their configuration does not have. */
export interface UnknownKeys {
  readonly configuration_id: string
  readonly keys: readonly { readonly alg: string; readonly kid: string }[]
  /** There are others that are not named. */
  readonly more?: boolean
}

/** What came of a fetch. */
export interface FetchEvent extends KeySetRef {
  /** `changed`, `unchanged`, or the code of the failure. */
  readonly outcome: string
}

/** What key sets are fetched with. */
export interface KeySetOptions {
  readonly services: Services
  readonly outbound: Outbound
  /** Calls `run` every so many milliseconds until the returned function is called. */
  readonly every: (milliseconds: number, run: () => void) => () => void
  /** Calls `run` once, in so many milliseconds, unless the returned function is called before. */
  readonly later: (milliseconds: number, run: () => void) => () => void
  readonly onFault: (cause: unknown) => void
}

/** The remote key sets of all zones. */
export interface KeySets {
  /** Fetches what is due, in one process or in several, until `close`. */
  keepFresh(): void
  /** Calls the listener after each fetch of this process. Returns what ends it. */
  onFetch(listener: (event: FetchEvent) => void): () => void
  /** Tokens of a zone name keys that nobody knows: they are fetched, if the issuer has them. */
  unknownKeys(zoneId: string, unknown: UnknownKeys): void
  /** Fetches now what is due, and resolves when that is done or so many milliseconds are over. */
  fetchDue(ref: KeySetRef, patienceMs: number): Promise<void>
  /** Fetches now, due or not. `later` (epoch µs): the budget does not allow it before. */
  refresh(ref: KeySetRef): Promise<{ readonly later?: number }>
  /** Ends fetches under way, and resolves when the store is needed no more. */
  close(): Promise<void>
}
