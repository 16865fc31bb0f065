import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { PolicyIssue } from '../../edge/index.js'
import { freePort } from './free-port.js'
import { pastCounts, sumOfCounts, type GateCounts } from './gate-counts.js'
import type { GatePlace, Gates, UnknownKeysHearer } from './gates.js'
import type { News } from './messages.js'
import { pack, zonesOf, type Shipment } from './shipment.js'
import { workerLink, WorkerEnded, type WorkerLink } from './worker-link.js'

/** How workers are started. */
export interface GateWorkersOptions extends GatePlace {
  /** How many there are at any time. */
  readonly workers: number
  /** A program that calls `runWorker`, with its arguments. */
  readonly program: readonly [file: string, ...args: readonly string[]]
  /** How a gate there tells what happens: data that its `hooksOf` understands, no secrets. */
  readonly voice: unknown
  /** Names of environment variables that are none of a worker's business. */
  readonly secretVariables: readonly string[]
  readonly onUnknownKeys?: UnknownKeysHearer | undefined
  readonly onEvent: (event: WorkerEvent) => void
}

/** What happens to workers. */
export type WorkerEvent =
  | { readonly kind: 'started'; readonly pid: number }
  | { readonly kind: 'ended'; readonly pid: number; readonly how: string }

/** Between two attempts to start a worker, the first and the longest. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
/** For a worker that comes up in the place of the last one, before a policy finds nobody. */
const COMING_UP_MS = 10_000
/** A worker that lived so long was no failed attempt. */
const LIVED_MS = 10_000
/** Metrics are of now, or of the last time that a busy worker told. */
const COUNT_MS = 1000
/** For an answer about closing, beyond the time that open requests have. */
const CLOSING_MS = 2000

/**
 * A small young generation: while a large policy is compiled, V8's own 16 MB of it would be swept in
 * pauses of 20 ms, and large bodies would leave more behind. It costs a request 4 % at most.
 */
const YOUNG_GENERATION = '--max-semi-space-size=1'

interface Member {
  readonly link: WorkerLink
  /** What it decides by; undefined before its first policy. */
  policy: unknown
  /** What it told last. */
  counts: GateCounts | undefined
}

/**
 * Gates in processes of their own, which take connections themselves: whatever this process computes
 * holds up no request. One that ends is replaced by another.
 */
export function gateWorkers(options: GateWorkersOptions): Gates {
  const { workers, program, voice, secretVariables, onEvent, listen, upstream, mode, trust } =
    options
  const fork = forkOf(program, secretVariables)
  const heard = ({ unknownKeys }: News) => options.onUnknownKeys?.(...unknownKeys)
  const members = new Set<Member>()
  /** Those that every policy goes to; once there is a URL, those that listen. */
  const ready = new Set<Member>()
  let past: readonly GateCounts[] = []
  let current: { readonly policy: unknown; readonly notices: readonly PolicyIssue[] } | undefined
  let place: GatePlace | undefined
  let url: string | undefined
  let putting: Promise<void> = Promise.resolve()
  let pauseMs = FIRST_PAUSE_MS
  let closing = false

  async function start(): Promise<Member> {
    const member: Member = { link: workerLink(fork(), heard), policy: undefined, counts: undefined }
    const { link } = member
    const begun = performance.now()
    members.add(member)
    void link.ended.then((how) => {
      members.delete(member)
      if (member.counts !== undefined) past = [sumOfCounts([...past, pastCounts(member.counts)])]
      const served = ready.delete(member) && url !== undefined
      if (closing) return
      onEvent({ kind: 'ended', pid: link.pid, how })
      pauseMs = performance.now() - begun > LIVED_MS ? FIRST_PAUSE_MS : longer(pauseMs)
      if (served) void replace()
    })
    await link.ask('start', { place: place!, voice })
    return member
  }

  /** Brings up a worker in the place of one that ended. */
  async function replace(): Promise<void> {
    await delay(pauseMs)
    if (closing) return
    const member = await start().catch(() => undefined)
    if (member === undefined) return replace()
    try {
      await catchUp(member)
      await member.link.ask('listen', undefined)
      await catchUp(member)
      ready.add(member)
      onEvent({ kind: 'started', pid: member.link.pid })
    } catch {
      // How it ended is told; one that lives and does not listen is of no use.
      member.link.kill()
      await member.link.ended
      return replace()
    }
  }

  /** There may be another policy by the time that one is compiled. */
  async function catchUp(member: Member): Promise<void> {
    const policy = current?.policy
    if (policy === undefined || member.policy === policy) return
    await deliver(member, policy, pack(policy, []))
    await catchUp(member)
  }

  async function put(policy: unknown): Promise<void> {
    place ??= { upstream, ...(mode && { mode }), trust, listen: await freePort(listen) }
    if (members.size === 0 && url === undefined)
      for (const member of await Promise.all(Array.from({ length: workers }, start)))
        ready.add(member)
    let notices: readonly PolicyIssue[] | undefined
    const end = performance.now() + COMING_UP_MS
    for (;;) {
      // A worker may have come up while the others compiled.
      const behind = [...ready].filter((member) => member.policy !== policy)
      if (behind.length === 0) {
        if (ready.size > 0 || url === undefined || performance.now() > end) break
        await delay(FIRST_PAUSE_MS)
        continue
      }
      const shipmentFor = packed(policy)
      const told = await Promise.allSettled(
        behind.map((member) => deliver(member, policy, shipmentFor(member))),
      )
      for (const each of told) {
        if (each.status === 'fulfilled') notices = each.value
        else if (!(each.reason instanceof WorkerEnded)) throw each.reason
      }
    }
    if (ready.size === 0) throw new WorkerEnded('there is no worker to take the policy')
    current = { policy, notices: notices ?? current?.notices ?? [] }
  }

  const countAll = () => Promise.all([...members].filter(({ policy }) => policy).map(count))
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
      const [first] = await Promise.all([...ready].map(({ link }) => link.ask('listen', undefined)))
      if (first === undefined) throw new WorkerEnded('there is no worker to listen')
      for (const { link } of ready) onEvent({ kind: 'started', pid: link.pid })
      return (url = first)
    },
    get notices() {
      return current?.notices ?? []
    },
    get live() {
      return url === undefined ? 0 : ready.size
    },
    async counts() {
      await Promise.race([countAll(), delay(COUNT_MS, undefined, { ref: false })])
      return sumOfCounts([...past, ...[...members].flatMap(({ counts }) => counts ?? [])])
    },
    async close(graceMs = 5000) {
      closing = true
      clearInterval(counting)
      await Promise.all(
        [...members].map(async ({ link }) => {
          await link.ask('close', graceMs, graceMs + CLOSING_MS).catch(link.kill)
          await link.ended
        }),
      )
    },
  }
}

async function deliver(
  member: Member,
  policy: unknown,
  shipment: Shipment,
): Promise<readonly PolicyIssue[]> {
  const notices = await member.link.ask('put', shipment)
  member.policy = policy
  return notices
}

async function count(member: Member): Promise<void> {
  try {
    member.counts = await member.link.ask('count', undefined)
  } catch (cause) {
    if (!(cause instanceof WorkerEnded)) throw cause
  }
}

const longer = (pauseMs: number): number => Math.min(pauseMs * 2, LONGEST_PAUSE_MS)

/** Packs a policy once for all members that have the same one so far. */
function packed(policy: unknown): (member: Member) => Shipment {
  const shipments = new Map<unknown, Shipment>()
  return ({ policy: before }) => {
    const known = shipments.get(before)
    if (known !== undefined) return known
    const shipment = pack(policy, before === undefined ? [] : zonesOf(before))
    shipments.set(before, shipment)
    return shipment
  }
}

function forkOf(
  [exec, ...args]: GateWorkersOptions['program'],
  secretVariables: readonly string[],
): () => Worker {
  // Each takes connections from the system itself: this process may be busy when one comes.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const execArgv = [...process.execArgv, YOUNG_GENERATION]
  cluster.setupPrimary({ exec, execArgv, args: [...args], serialization: 'advanced' })
  const without = Object.fromEntries(secretVariables.map((name) => [name, undefined]))
  return () => cluster.fork(without)
}
