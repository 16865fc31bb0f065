import { setTimeout as delay } from 'node:timers/promises'
import { later } from './later.js'
import { policyCache, type KeptPolicy } from './policy-cache.js'
import { ManagementError, policyClient, type PolicyStamp } from './policy-client.js'
import type { FollowOptions, FollowState, Origin, PolicySource, Refusal } from './policy-source.js'
import { createUnknownKeyReports } from './unknown-key-reports.js'
import { inShort, whyRefused, wordsOf } from './why-refused.js'

/** The longest pause before a lost stream of events is opened again. */
const REOPEN_MS = 5000

/** What may go wrong, the worst first. */
const PARTS = ['management', 'disk', 'report'] as const
type Part = (typeof PARTS)[number]
type FollowProblem = Omit<FollowState, 'connected'>

/**
 * Follows the policy of a zone: every announced version is fetched and put in force whole or not at
 * all, and management is asked now and then as well. The last good one is kept on disk; a gate
 * starts from it when management does not answer.
 */
export function followPolicy(options: FollowOptions): PolicySource {
  const { url, token, cacheDir, instance, onPolicy, onVersion, onRefused, onState } = options
  const { pollMs = 10_000, jitter = 0.3, random = Math.random, now = Date.now } = options
  const { elapsed = () => performance.now() } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const client = policyClient({ url, token, fetch: options.fetch ?? fetch, signal })
  const cache = policyCache(cacheDir, url)
  const unknown = createUnknownKeyReports({ send: client.unknownKeys, now: elapsed, later })
  const started_at = new Date(now()).toISOString()
  const problems = new Map<Part, FollowProblem>()
  let markReady: (() => void) | undefined
  const ready = new Promise<void>((resolve) => (markReady = resolve))
  let running: PolicyStamp | undefined
  let refused: Refusal | undefined
  /** In force, and not on disk so far: that may be full for a while. */
  let unkept: KeptPolicy | undefined
  let state: FollowState | undefined
  let due = new AbortController()

  function tell(): void {
    const [problem] = PARTS.flatMap((part) => problems.get(part) ?? [])
    const next = { connected: !problems.has('management'), ...problem }
    const same = state?.connected === next.connected && state.problem === next.problem
    state = next
    if (!same && !signal.aborted) onState?.(next)
  }

  /** Does something that may fail without harm to what is in force. */
  async function attempt(part: Part, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      problems.delete(part)
    } catch (cause) {
      const status = cause instanceof ManagementError ? cause.status : undefined
      problems.set(part, { problem: wordsOf(cause), ...(status !== undefined && { status }) })
    }
  }

  /** False when it is refused. */
  async function apply(policy: object, stamp: PolicyStamp, from: Origin): Promise<boolean> {
    try {
      await onPolicy(policy, { ...stamp, from })
    } catch (cause) {
      // Who stops it meanwhile does not say that the policy is bad.
      if (signal.aborted) return false
      refused = { ...stamp, ...whyRefused(cause), cause }
      onRefused?.(refused)
      return false
    }
    running = stamp
    // One from disk stands in for the one that management has, which stays refused.
    if (from === 'management') refused = undefined
    markReady?.()
    return true
  }

  async function fetchPolicy(): Promise<void> {
    const known = [running, refused].flatMap((stamp) => stamp?.hash ?? [])
    const { policy, ...stamp } = await client.get(known)
    if (policy !== undefined) {
      if (await apply(policy, stamp, 'management')) unkept = { ...stamp, policy }
    } else if (stamp.hash === running?.hash) {
      const { version } = running
      running = stamp
      refused = undefined
      if (stamp.version !== version) onVersion?.(stamp)
    } else if (refused !== undefined) {
      refused = { ...refused, ...stamp }
    }
  }

  async function keep(kept: KeptPolicy): Promise<void> {
    await cache.write(kept)
    unkept = undefined
  }

  async function startFromDisk(): Promise<void> {
    const kept = await cache.read()
    if (kept !== undefined && !signal.aborted) await apply(kept.policy, kept, 'disk')
  }

  async function report(): Promise<void> {
    const { version = 0, hash = '' } = running ?? {}
    await client.report({ instance, version, hash, started_at, refused: told(refused) })
  }

  async function ask(): Promise<void> {
    due = new AbortController()
    await attempt('management', fetchPolicy)
    const kept = unkept
    if (kept !== undefined) await attempt('disk', () => keep(kept))
    if (running === undefined && !signal.aborted) await attempt('disk', startFromDisk)
    tell()
    // Nothing waits for it, least of all the next version.
    if (!problems.has('management') && !signal.aborted) void attempt('report', report).then(tell)
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      await ask()
      await pause(pollMs * (1 + jitter * (2 * random() - 1)), due.signal)
    }
  }

  async function listen(): Promise<void> {
    let lost = 0
    while (!signal.aborted) {
      // Whatever ends the stream, asking for the policy tells it better.
      await client
        .hear((version) => {
          lost = 0
          // One that was away may come back with another history: the number alone tells little.
          const isNews = version !== (refused ?? running)?.version
          if (isNews || problems.has('management')) due.abort()
        })
        .catch(() => {})
      if (lost === 0) due.abort()
      await pause(Math.min(REOPEN_MS, 250 * 2 ** lost++) * (0.5 + random() / 2), signal)
    }
  }

  const loops = Promise.all([poll(), listen()])
  return {
    ready,
    get running() {
      return running
    },
    get refused() {
      return refused
    },
    check: () => due.abort(),
    unknownKeys: unknown.heard,
    async stop() {
      stopping.abort()
      unknown.stop()
      due.abort()
      await loops
    },
  }
}

/** Resolves early when the signal says so. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => {})

const told = (refusal: Refusal | undefined): object | null =>
  refusal === undefined ? null : { version: refusal.version, ...inShort(refusal) }
