import type { GateState, InstanceReport } from './gate/index.js'
import type { Message, Outbound, Permission } from './http/index.js'
import type { FetchEvent, UnknownKeys } from './key-sets/index.js'
import type { DocumentReader, Imported } from './operations/index.js'
import type { Database, PolicyHead, Sealer } from './store/index.js'
import type { ZonePolicy } from './token-validation/index.js'

/** What the management floor is made of. */
export interface ManagementOptions {
  readonly db: Database
  /** Seals the secrets of token configurations. */
  readonly sealer: Sealer
  /** Epoch milliseconds, whole or not. */
  readonly now: () => number
  /** A fresh UUID. */
  readonly newId: () => string
  /** So many bytes that nobody can guess. */
  readonly random: (bytes: number) => Uint8Array
  /** Where the API begins; `/client/v4` without it. */
  readonly base?: string
  readonly version?: string
  /**
   * Where callers reach the API, with its base path: `https://api.example.com/client/v4`. Messages
   * point to the page about them there; without it, at the address that a request names.
   */
  readonly publicUrl?: string | undefined
  /**
   * How much of the history of a zone's policy is kept for rollback: the newest versions (1,000
   * unless told otherwise), and all that are younger than so many days (30). The audit log stays.
   */
  readonly history?: { readonly versions?: number; readonly days?: number }
  /** Calls `run` every so many milliseconds until the returned function is called. */
  readonly every?: (milliseconds: number, run: () => void) => () => void
  /** Calls `run` once, in so many milliseconds, unless the returned function is called before. */
  readonly later?: (milliseconds: number, run: () => void) => () => void
  /** How key sets of issuers are fetched: `createOutbound` of `portcullis/node`. None by default. */
  readonly outbound?: Outbound
  /** Key sets may be at `http:` addresses too, as far as `outbound` goes there. Default: no. */
  readonly allowHttpKeySets?: boolean
  /** How error pages are fetched: `createOutbound` of `portcullis/node`, which goes nowhere private. */
  readonly pageOutbound?: Outbound
  /**
   * Reads OpenAPI documents elsewhere than between the requests, where a large one takes seconds:
   * `createDocumentReader` of `portcullis/node`. Default: here.
   */
  readonly readDocument?: DocumentReader
  /** Hears of faults of the software and of the store. The request id is in the answer as well. */
  readonly onFault?: (cause: unknown, requestId: string) => void
}

/** The management API: answers requests on any runtime. */
export interface Management {
  fetch(request: Request): Promise<Response>
  /**
   * Answers a request without a token: for whoever may open the store itself, such as the command
   * line on its machine. The audit log knows them as `command-line`. Nothing of a network goes here.
   */
  fetchAsOwner(request: Request): Promise<Response>
  /**
   * Makes sure that there is an administrator's token: the `given` one, or else a new one when
   * there is none at all, whose text is returned this once.
   */
  ensureFirstToken(given?: string): Promise<string | undefined>
  /** A version of a zone's policy for a gate, the newest without `version`. It holds secrets. */
  policy(zoneId: string, version?: number): Promise<ZonePolicy | undefined>
  /**
   * Adds the operations of an OpenAPI document (JSON or YAML) to a zone, for whoever may open the
   * store; or tells why none was added.
   */
  importOperations(
    zoneId: string,
    document: string,
  ): Promise<Imported | { readonly errors: readonly Message[] }>
  /** Seals anew what an older key of the ring sealed, and tells how many secrets that were. */
  resealSecrets(): Promise<number>
  /**
   * Runs something while no secret can be sealed, unless an older key of the ring has sealed one:
   * tells how many those are, and has run nothing when there are some.
   */
  whileSealedAnew(run: () => Promise<void>): Promise<number>
  /** Writes everything in the store as lines, secrets sealed, and tells how many rows that are. */
  backup(write: (line: string) => Promise<void>): Promise<number>
  /**
   * Puts the lines of a backup into a store that is empty, all or nothing.
   * @throws {BackupError}
   */
  restore(lines: AsyncIterable<string>): Promise<number>
  /**
   * Fetches the key sets of issuers in time, in one process or several on the same database, and
   * calls `fetched` after each fetch of this one. Returns what ends it, which resolves when the
   * store is needed no more.
   */
  keepKeySetsFresh(fetched?: (event: FetchEvent) => void): () => Promise<void>
  /**
   * A gate met tokens that name keys which their configuration does not have: they are fetched if
   * the issuer has them, within a budget. Returns at once.
   */
  unknownKeys(zoneId: string, unknown: UnknownKeys): void
  /**
   * The answer, 401 or 403, to a request whose API token does not hold a permission everywhere;
   * `undefined` when it does. For what is served beside the API.
   */
  refusal(request: Request, permission: Permission): Promise<Response | undefined>
  /** What the gates of all zones told last: the versions that they run, and those they refused. */
  gates(): Promise<readonly GateState[]>
  /** Keeps what gates of this process run and refuse, as `POST …/gate/instances` does for others. */
  gatesTell(reports: readonly InstanceReport[]): Promise<void>
  /** The newest version of every zone's policy. */
  policyHeads(): Promise<readonly PolicyHead[]>
  /**
   * Calls `changed` after every committed change of a zone's policy: at once for those made here,
   * within about a second for those of other processes on the same database. Version 0: the zone
   * is gone. Returns what ends it.
   */
  onPolicy(changed: (zoneId: string, version: number) => void): () => void
  /**
   * Calls `heard` when another process on the same database tells that it has changed something,
   * where the database lets them: it spares waiting for the next look, and stands in for none.
   * Returns what ends it.
   */
  onAnnouncement(heard: () => void): () => void
  /** Ends the streams of events and whatever else would keep a process alive. */
  close(): void
}
