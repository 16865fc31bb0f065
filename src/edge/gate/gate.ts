import { judge, type Court, type GateState } from './judge.js'
import {
  createVerdictCache,
  createVerifier,
  importKeySet,
  webCrypto,
  type CryptoBackend,
  type KeySet,
  type VerdictCache,
} from '../token/index.js'
import type { KeySetSource } from './compile-configuration.js'
import { compileZone } from './compile-zone.js'
import type { CompiledZone } from './compiled-zone.js'
import { Decision, type Judgement } from './decision.js'
import type { Explanation } from './explain.js'
import type { GateRequest } from './gate-request.js'
import { PolicyError, type PolicyIssue } from './policy-error.js'
import type { Zone } from './policy.js'
import { zonesOf } from './policy-shape.js'
import { Report } from './report.js'

/** How a gate is made. Time and cryptography are arguments. */
export interface GateOptions<Crypto extends CryptoBackend = CryptoBackend> {
  /** Default: the platform's WebCrypto, with which `decide` gives promises. */
  readonly crypto?: Crypto
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number
  /** A host that belongs to no zone is refused (default), or passes unjudged. */
  readonly unknownHost?: 'refuse' | 'pass'
  /** Seconds by which `exp` and `nbf` may be missed. Default 60. */
  readonly tolerance?: number
  /** Longest token looked at, in characters. Default 16,384. */
  readonly maxTokenBytes?: number
  /**
   * What makes `explain` answer: `explanation` of `portcullis/explain`. Explaining is a tool for
   * people, and without it a bundle stays smaller.
   */
  readonly explanation?: (judgement: Judgement) => Explanation
  /** Verdicts to remember; false remembers none. */
  readonly cache?: VerdictCache | false
}

/** `Answer<…>`: a value where the crypto is synchronous, else a value or a promise of one. */
export type Answer<Crypto extends CryptoBackend, Value> =
  Crypto extends CryptoBackend<boolean> ? Value : Value | Promise<Value>

/** A compiled policy that answers requests. */
export interface Gate<Crypto extends CryptoBackend = CryptoBackend> {
  /** Decides. Never throws and never rejects: a bad request is data. */
  decide(request: GateRequest): Answer<Crypto, Decision>
  /**
   * The same decision with every step that led to it, redacted.
   * @throws {TypeError} where the gate was made without the option `explanation`.
   */
  explain(request: GateRequest): Answer<Crypto, Explanation>
  /**
   * Puts another policy in force at once, whole or not at all. Requests under way finish on the
   * old one; key sets that did not change keep their cached verdicts.
   * @throws {PolicyError} and the running policy stays.
   */
  replace(policy: unknown): void
  /** Counts the policies in force so far, from 1. */
  readonly epoch: number
  /** What is odd in the running policy, though it compiles. */
  readonly notices: readonly PolicyIssue[]
  /** The zones in force, as written. */
  readonly zones: readonly Zone[]
}

/**
 * Compiles a policy to a gate.
 * @throws {PolicyError} with every issue found: code, pointer, and for expressions line and caret.
 * @example
 * const gate = createGate(policy)
 * const decision = await gate.decide(fetchGateRequest(request))
 */
export function createGate<Crypto extends CryptoBackend = CryptoBackend<Promise<boolean>>>(
  policy: unknown,
  options: GateOptions<Crypto> = {},
): Gate<Crypto> {
  const crypto: CryptoBackend = options.crypto ?? webCrypto()
  const { now = Date.now, unknownHost = 'refuse', tolerance, maxTokenBytes, explanation } = options
  const cache = options.cache === false ? undefined : (options.cache ?? createVerdictCache())
  const verifier = createVerifier({ crypto, tolerance, maxTokenBytes, cache })
  let running = compilePolicy(policy, crypto, new Map(), 1)
  const court = (): Court => ({ state: running.state, verifier, now: now(), unknownHost })
  const answer = <Result>(request: GateRequest, form: (judgement: Judgement) => Result) => {
    const judgement = judge(request, court())
    return judgement instanceof Promise ? judgement.then(form) : form(judgement)
  }
  return {
    decide: (request) => answer(request, decisionOf) as Answer<Crypto, Decision>,
    explain(request) {
      if (explanation === undefined) throw new TypeError('explain needs an explanation')
      return answer(request, explanation) as Answer<Crypto, Explanation>
    },
    replace(next) {
      running = compilePolicy(next, crypto, running.keySets, running.state.epoch + 1)
    },
    get epoch() {
      return running.state.epoch
    },
    get notices() {
      return running.notices
    },
    get zones() {
      return [...running.state.zones.values()].map(({ zone }) => zone)
    },
  }
}

const decisionOf = (judgement: Judgement) => new Decision(judgement)

/** Key sets by zone, configuration and the text of the keys: what is unchanged is found again. */
type KeySets = ReadonlyMap<string, KeySet>

interface Running {
  readonly state: GateState
  readonly keySets: KeySets
  readonly notices: readonly PolicyIssue[]
}

function compilePolicy(
  policy: unknown,
  crypto: CryptoBackend,
  known: KeySets,
  epoch: number,
): Running {
  const report = new Report()
  const zones = new Map<string, CompiledZone>()
  const keySets = new Map<string, KeySet>()
  const ids = new Set<string>()
  const names = new Set<string>()
  for (const [zone, here] of zonesOf(policy, report)) {
    here.at('id').once(ids, zone.id)
    const keySetOf: KeySetSource = ({ id, credentials: { keys } }) => {
      const name = JSON.stringify([zone.id, id, keys])
      const keySet = known.get(name) ?? importKeySet(keys, crypto)
      keySets.set(name, keySet)
      return keySet
    }
    const compiled = compileZone(zone, keySetOf, here)
    here.at('name').once(names, compiled.name, 'duplicate_name')
    zones.set(compiled.name, compiled)
  }
  if (report.errors.length > 0) throw new PolicyError(report.errors)
  return { state: { epoch, zones }, keySets, notices: report.notices }
}
