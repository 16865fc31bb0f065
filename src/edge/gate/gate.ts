import { judge } from './judge.js'
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
import type { GateState } from './route.js'
import { finish, type Work } from './work.js'

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
   * old one; key sets that did not change keep their cached verdicts. A zone that is frozen
   * (`Object.freeze`) and in force already, at the same place of the document, is not compiled again.
   * @throws {PolicyError} and the running policy stays.
   */
  replace(policy: unknown): void
  /**
   * The same, little by little: `pause` is called between pieces of the work (most take some
   * microseconds), and what it gives is waited for. Until the last of them the running policy
   * decides. Gives true once the policy is in force, and false when one that was asked for later is
   * in force already: an older policy never takes the place of a newer one.
   * @throws {PolicyError} as a rejection, and the running policy stays.
   */
  replaceGradually(policy: unknown, pause: () => Promise<unknown> | undefined): Promise<boolean>
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
  const { now = Date.now, unknownHost = 'refuse', explanation } = options
  const cache = options.cache === false ? undefined : (options.cache ?? createVerdictCache())
  const verifier = createVerifier({ ...options, crypto, cache })
  let running: Running = {
    epoch: 0,
    zones: new Map(),
    places: new Map(),
    keySets: new Map(),
    notices: [],
  }
  let asked = 0
  /** The turn in which the policy in force was asked for. */
  let newest = 0
  const put = (turn: number, compiled: Omit<Running, 'epoch'>) => {
    newest = turn
    running = { ...compiled, epoch: running.epoch + 1 }
  }
  const replace = (next: unknown) => put(++asked, finish(compilePolicy(next, crypto, running)))
  replace(policy)
  const answer = <Result>(request: GateRequest, form: (judgement: Judgement) => Result) =>
    judge(request, { state: running, verifier, now: now(), unknownHost }, form)
  return {
    decide: (request) => answer(request, decisionOf) as Answer<Crypto, Decision>,
    explain(request) {
      if (explanation === undefined) throw new TypeError('explain needs an explanation')
      return answer(request, explanation) as Answer<Crypto, Explanation>
    },
    replace,
    async replaceGradually(next, pause) {
      const turn = ++asked
      const work = compilePolicy(next, crypto, running)
      for (;;) {
        const { done, value } = work.next()
        if (turn < newest) return false
        if (done) return (put(turn, value), true)
        const rest = pause()
        if (rest !== undefined) await rest
      }
    },
    get epoch() {
      return running.epoch
    },
    get notices() {
      return running.notices
    },
    get zones() {
      return Array.from(running.zones.values(), ({ zone }) => zone)
    },
  }
}

const decisionOf = (judgement: Judgement) => new Decision(judgement)

interface Running extends GateState {
  /** By zone, configuration and the text of the keys: what is unchanged is found again. */
  readonly keySets: ReadonlyMap<string, KeySet>
  readonly notices: readonly PolicyIssue[]
}

function* compilePolicy(
  policy: unknown,
  crypto: CryptoBackend,
  running: Running,
): Work<Omit<Running, 'epoch'>> {
  const report = new Report()
  const zones = new Map<string, CompiledZone>()
  const keySets = new Map<string, KeySet>()
  const ids = new Set<string>()
  const names = new Set<string>()
  const before = [...running.zones.values()]
  const known = (zone: Zone, at: number) =>
    Object.isFrozen(zone) && before[at]?.zone === zone ? before[at] : undefined
  const placed = yield* zonesOf(policy, report, known)
  for (const [at, [zone, here]] of placed.entries()) {
    here.at('id').once(ids, zone.id)
    const keySetOf: KeySetSource = ({ id, credentials: { keys } }) => {
      const name = JSON.stringify([zone.id, id, keys])
      const keySet = running.keySets.get(name) ?? importKeySet(keys, crypto)
      keySets.set(name, keySet)
      return keySet
    }
    let compiled = known(zone, at)
    if (compiled === undefined) compiled = yield* compileZone(zone, keySetOf, here)
    else {
      zone.token_configurations?.forEach(keySetOf)
      here.keep(running.notices)
    }
    here.at('name').once(names, compiled.name, 'duplicate_name')
    zones.set(compiled.name, compiled)
  }
  if (report.errors.length > 0) throw new PolicyError(report.errors)
  return { zones, places: new Map(), keySets, notices: report.notices }
}
