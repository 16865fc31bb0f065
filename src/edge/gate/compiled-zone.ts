import type { Condition, TokenSource } from '../expression/index.js'
import type { Coverage, Covering, HostCandidates, Operation, Router } from '../selector/index.js'
import type { KeySet } from '../token/index.js'
import type { Zone, ZoneSettings } from './policy.js'
import type { Refusals } from './refusals.js'

/** A token configuration ready to find and verify tokens. */
export interface CompiledConfiguration {
  readonly id: string
  /** Where expressions find the claims: the id in bytes. */
  readonly key: string
  readonly title: string
  readonly sources: readonly TokenSource[]
  /** Its identity is the scope of cached verdicts. */
  readonly keySet: KeySet
}

/** A rule ready to decide. */
export interface CompiledRule {
  readonly id: string
  readonly title: string
  readonly action: 'log' | 'block'
  readonly enabled: boolean
  readonly coverage: Coverage
  readonly predicate: Condition
  /** What the expression asks about: exactly these are verified for a request. */
  readonly configurations: readonly CompiledConfiguration[]
}

/** An operation together with the rule that decides for it, settled when the policy is compiled. */
export interface CompiledOperation {
  readonly operation: Operation
  readonly rule: CompiledRule | null
}

/** A zone in force. */
export interface CompiledZone {
  readonly zone: Zone
  /** Canonical. */
  readonly name: string
  readonly settings: Required<ZoneSettings>
  readonly refusals: Refusals
  readonly router: Router<CompiledOperation>
  /** All rules in order, disabled ones included: `explain` tells of them. */
  readonly rules: readonly CompiledRule[]
  readonly covering: Covering<CompiledRule>
  readonly hosts: HostCandidates
}
