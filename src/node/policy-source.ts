import type { PolicyStamp } from './policy-client.js'
import type { UnknownKeyReport } from './unknown-key-reports.js'
import type { Reason } from './why-refused.js'

/** Why a version is not in force. */
export interface Refusal extends PolicyStamp, Reason {
  readonly cause: unknown
}

/** How it stands between a gate and its management. */
export interface FollowState {
  readonly connected: boolean
  /** What is wrong, in words; and the status that management answered with, if it did. */
  readonly problem?: string
  readonly status?: number
}

/** How a policy is followed. */
export interface FollowOptions {
  /** `https://HOST/client/v4/zones/{zone_id}/gate/policy` */
  readonly url: string
  /** An API token with the permission `gate`. */
  readonly token: string
  /** Folder for the last good policy, which a gate starts from when management is away. */
  readonly cacheDir: string
  /** What management knows this gate by, unique among the gates of the zone. */
  readonly instance: string
  /**
   * Puts a policy in force, whole, at once or in its time, or throws: then the one before stays. The
   * next one waits for it.
   */
  readonly onPolicy: (policy: object, stamp: PolicyStamp & { readonly from: Origin }) => unknown
  /** Hears that the policy in force has another number, as after a rollback to it. */
  readonly onVersion?: (stamp: PolicyStamp) => void
  readonly onRefused?: (refusal: Refusal) => void
  /** Hears when management is lost and found, and of what is wrong otherwise. */
  readonly onState?: (state: FollowState) => void
  /** How often to ask, announced or not. Default 10 s. */
  readonly pollMs?: number
  /** The part of `pollMs` by which it varies. Default 0.3. */
  readonly jitter?: number
  readonly random?: () => number
  /** Epoch ms. */
  readonly now?: () => number
  /** Milliseconds that only grow, whatever is done to the clock. Default `performance.now`. */
  readonly elapsed?: () => number
  readonly fetch?: typeof fetch
}

/** Where a policy came from. */
export type Origin = 'management' | 'disk'

/** A policy that is being followed. */
export interface PolicySource {
  /** Resolves once the first policy is in force. */
  readonly ready: Promise<void>
  /** The version in force. */
  readonly running: PolicyStamp | undefined
  readonly refused: Refusal | undefined
  /** Asks now. */
  check(): void
  /** A token named a key that its configuration does not have: management is told, and may fetch it. */
  unknownKeys(unknown: UnknownKeyReport): void
  stop(): Promise<void>
}
