import type { PolicyIssue } from '../../edge/index.js'
import type { GateServerOptions } from '../gate-server.js'
import type { UnknownKeyReport } from '../unknown-key-reports.js'
import type { GateCounts } from './gate-counts.js'

/** Gates of one address that decide by one policy, in this process or in others. */
export interface Gates {
  /**
   * Puts a policy in force, whole or not at all; resolves once every gate decides by it.
   * @throws {PolicyError} as a rejection: the one before stays in force
   */
  put(policy: unknown): Promise<void>
  /** Listens, once there is a policy, and gives the URL. */
  listen(): Promise<string>
  /** What is odd in the policy in force, though it compiles. */
  readonly notices: readonly PolicyIssue[]
  /** How many gates have the policy and listen. */
  readonly live: number
  counts(): Promise<GateCounts>
  /** Takes nothing new, and lets open requests finish for `graceMs` at most. */
  close(graceMs?: number): Promise<void>
}

/** Where and how gates listen. It goes to other processes: data alone, and no secrets. */
export interface GatePlace {
  readonly listen: GateServerOptions['listen']
  /** For zones that name no upstream of their own. */
  readonly upstream?: string | undefined
  /** A reverse proxy by default. */
  readonly mode?: GateServerOptions['mode']
  /** Networks whose `X-Forwarded-*` are believed. */
  readonly trust?: readonly string[] | undefined
}

/** What a gate tells whoever runs it. */
export interface GateHooks extends Pick<Required<GateServerOptions>, 'onDecision' | 'onFailure'> {
  readonly onUnknownKeys?: UnknownKeysHearer | undefined
}

/** Told of keys that tokens name in vain, where their issuer may have added them to its set. */
export type UnknownKeysHearer = (zone: string, unknown: UnknownKeyReport) => void
