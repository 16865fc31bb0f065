import type { ChildProcess } from 'node:child_process'
import { createBackoff } from './backoff.js'
import { pastCounts, sumOfCounts, type GateCounts } from './gate-counts.js'
import { deliver, type Member } from './member.js'
import type { Given, News } from './messages.js'
import { workerLink, WorkerEnded } from './worker-link.js'

/** What happens to workers. */
export type WorkerEvent =
  | { readonly kind: 'started'; readonly pid: number }
  | { readonly kind: 'ended'; readonly pid: number; readonly how: string }

/** How workers are started, and started again. */
export interface CrewOptions {
  /** How many there are at any time. */
  readonly workers: number
  readonly fork: () => ChildProcess
  readonly orders: Given<'start'>
  /** The policy in force; `undefined` before the first. */
  readonly policy: () => unknown
  readonly heard: (news: News) => void
  readonly onEvent: (event: WorkerEvent) => void
  /** Milliseconds that only grow. */
  readonly now: () => number
  readonly pause: (milliseconds: number) => Promise<unknown>
}

/** For an answer about closing, beyond the time that open requests have. */
const CLOSING_MS = 2000

/** Workers of which there are so many at any time: one that ends is replaced by another. */
export interface Crew {
  /** All that live. */
  readonly members: ReadonlySet<Member>
  /** Those that every policy goes to; once the crew listens, those that listen. */
  readonly ready: ReadonlySet<Member>
  /** What those that are no more have counted. */
  readonly past: readonly GateCounts[]
  /** Has all listen, and gives their URL. */
  listen(): Promise<string>
  close(graceMs: number): Promise<void>
}

/** Starts all of them, without a policy so far. Rejects when one cannot be started. */
export async function startCrew(options: CrewOptions): Promise<Crew> {
  const { workers, fork, orders, policy, heard, onEvent, now, pause } = options
  const members = new Set<Member>()
  const ready = new Set<Member>()
  const backoff = createBackoff()
  let past: readonly GateCounts[] = []
  let [listens, closing] = [false, false]

  async function start(): Promise<Member> {
    const begun = now()
    const member: Member = { link: workerLink(fork(), heard), policy: undefined, counts: undefined }
    const { link } = member
    members.add(member)
    void link.ended.then((how) => {
      members.delete(member)
      if (member.counts !== undefined) past = [sumOfCounts([...past, pastCounts(member.counts)])]
      const served = ready.delete(member) && listens
      if (closing) return
      onEvent({ kind: 'ended', pid: link.pid, how })
      if (served) void replace(backoff(now() - begun))
    })
    await link.ask('start', orders)
    return member
  }

  /** Brings up a worker in the place of one that ended. */
  async function replace(pauseMs: number): Promise<void> {
    await pause(pauseMs)
    if (closing) return
    const begun = now()
    let member: Member | undefined
    try {
      member = await start()
      await catchUp(member)
      await member.link.ask('listen', undefined)
      await catchUp(member)
      ready.add(member)
      onEvent({ kind: 'started', pid: member.link.pid })
    } catch {
      // How it ended is told; one that lives and does not listen is of no use.
      member?.link.kill()
      await member?.link.ended
      return replace(backoff(now() - begun))
    }
  }

  /** There may be another policy by the time that one is compiled. */
  async function catchUp(member: Member): Promise<void> {
    const current = policy()
    if (current === undefined || member.policy === current) return
    const taken = await deliver([member], current)
    if (taken === undefined) throw new WorkerEnded('it ended while it caught up')
    await catchUp(member)
  }

  async function close(graceMs: number): Promise<void> {
    closing = true
    await Promise.all(
      [...members].map(async ({ link }) => {
        await link.ask('close', graceMs, graceMs + CLOSING_MS).catch(link.kill)
        await link.ended
      }),
    )
  }

  try {
    // Each at once: one that ends while others are being started must not be taken for ready.
    await Promise.all(Array.from({ length: workers }, async () => ready.add(await start())))
  } catch (cause) {
    await close(0)
    throw cause
  }
  return {
    members,
    ready,
    get past() {
      return past
    },
    async listen() {
      const [url] = await Promise.all([...ready].map(({ link }) => link.ask('listen', undefined)))
      if (url === undefined) throw new WorkerEnded('there is no worker to listen')
      listens = true
      for (const { link } of ready) onEvent({ kind: 'started', pid: link.pid })
      // Those that ended before anybody listened.
      for (let missing = workers - ready.size; missing > 0; missing--) void replace(0)
      return url
    },
    close,
  }
}
