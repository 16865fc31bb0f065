import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { PolicyIssue } from '../../edge/index.js'
import type { ListenAddress } from '../listen-address.js'
import { startCrew, type Crew, type CrewOptions } from './crew.js'
import { forkWorker, INHERITED_FD, type WorkerProgram } from './fork-worker.js'
import { sumOfCounts } from './gate-counts.js'
import type { GatePlace, Gates, UnknownKeysHearer } from './gates.js'
import { holdAddress, type HeldAddress } from './held-address.js'
import { count, deliver } from './member.js'
import { passOn, type PrintTo } from './pass-on.js'
import { WorkerEnded } from './worker-link.js'

/** How workers are started. */
export interface GateWorkersOptions
  extends
    Omit<GatePlace, 'listen'>,
    WorkerProgram,
    Pick<CrewOptions, 'workers' | 'onEvent'>,
    Partial<Pick<CrewOptions, 'now' | 'pause'>> {
  readonly listen: ListenAddress
  /** How a gate there tells what happens: data that its `hooksOf` understands, no secrets. */
  readonly voice: unknown
  readonly onUnknownKeys?: UnknownKeysHearer | undefined
  /** Where this process prints what gates print; without it they print where this one does. */
  readonly printTo?: PrintTo | undefined
}

/** For a worker that comes up in the place of the last one, before a policy finds nobody. */
const COMING_UP_MS = 10_000
const LOOK_AGAIN_MS = 50
/** All that are given a policy may end for another reason once, and hardly twice. */
const MOST_ENDS = 2
/** Metrics are of now, or of the last time that a busy worker told. */
const COUNT_MS = 1000

/**
 * Gates in processes of their own, which take connections themselves: whatever this process computes
 * holds up no request. One that ends is replaced by another, and what connects until then waits.
 */
export function gateWorkers(options: GateWorkersOptions): Gates {
  const { voice, listen, upstream, mode, trust, onUnknownKeys, printTo } = options
  const { now = () => performance.now(), pause = delay } = options
  let current: { readonly policy: unknown; readonly notices: readonly PolicyIssue[] } | undefined
  let held: HeldAddress | undefined
  let crew: Crew | undefined
  let url: string | undefined
  let putting: Promise<void> = Promise.resolve()
  let closing = false
  const printing = new Set<Promise<void>>()

  async function start(): Promise<Crew> {
    const { fd } = (held ??= await holdAddress(listen))
    const place = { upstream, ...(mode && { mode }), trust, listen: { fd: INHERITED_FD } }
    return startCrew({
      ...options,
      now,
      pause,
      fork: () => fork(fd),
      orders: { place, voice },
      policy: () => current?.policy,
      heard: ({ unknownKeys }) => onUnknownKeys?.(...unknownKeys),
    })
  }

  function fork(fd: number): ChildProcess {
    if (printTo === undefined) return forkWorker(options, fd, 'inherit')
    const child = forkWorker(options, fd, 'pipe')
    const printed = passOn(child, printTo)
    printing.add(printed)
    void printed.finally(() => printing.delete(printed))
    return child
  }

  async function put(policy: unknown): Promise<void> {
    const { ready } = (crew ??= await start())
    let notices: readonly PolicyIssue[] | undefined
    let ends = 0
    const end = performance.now() + COMING_UP_MS
    while (ends < MOST_ENDS) {
      // A worker may have come up while the others compiled.
      const behind = [...ready].filter((member) => member.policy !== policy)
      if (behind.length > 0) {
        const told = await deliver(behind, policy)
        if (told !== undefined) notices = told
        else if (notices === undefined) ends++
      } else if (ready.size > 0 || url === undefined || performance.now() > end) break
      else await delay(LOOK_AGAIN_MS)
    }
    if (ends === MOST_ENDS || ready.size === 0)
      throw new WorkerEnded(
        ends > 0
          ? 'the gate processes that were given the policy ended'
          : 'there is no gate process to take the policy',
      )
    current = { policy, notices: notices ?? current?.notices ?? [] }
  }

  const countAll = () =>
    Promise.all([...(crew?.members ?? [])].filter(({ policy }) => policy).map(count))
  // What a worker counted is not gone with it, but for its last second.
  const counting = setInterval(() => void countAll(), COUNT_MS)
  counting.unref()

  return {
    put(policy) {
      const done = putting.then(() => (closing ? undefined : put(policy)))
      putting = done.catch(() => {})
      return done
    },
    async listen() {
      if (crew === undefined) throw new WorkerEnded('there is no worker to listen')
      return (url = await crew.listen())
    },
    get notices() {
      return current?.notices ?? []
    },
    get live() {
      return url === undefined ? 0 : (crew?.ready.size ?? 0)
    },
    async counts() {
      await Promise.race([countAll(), delay(COUNT_MS, undefined, { ref: false })])
      const told = [...(crew?.members ?? [])].flatMap(({ counts }) => counts ?? [])
      return sumOfCounts([...(crew?.past ?? []), ...told])
    },
    async close(graceMs = 5000) {
      closing = true
      clearInterval(counting)
      // First: what connects from now on is not to wait for a worker that never comes.
      held?.release()
      await crew?.close(graceMs)
      await Promise.all(printing)
    },
  }
}
