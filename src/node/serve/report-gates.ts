import type { InstanceReport, Management, Refused, ZonePolicy } from '../../management/index.js'
import { inShort, whyRefused } from '../why-refused.js'
import type { FollowEvent } from './follow-zones.js'

/** A change is told so soon, together with those that come in the meantime. */
const SOON_MS = 500
/** Who says nothing for a minute is taken for silent. */
const AGAIN_MS = 20_000

export interface ReportGatesOptions {
  readonly tell: Management['gatesTell']
  /** What the gates of this process run. */
  readonly running: () => readonly Pick<ZonePolicy, 'version' | 'hash' | 'zone'>[]
  /** What they are known by, unique among the gates of a zone. */
  readonly instance: string
  /** Epoch µs. */
  readonly started_at: number
  /** Calls `run` once, in so many milliseconds, unless the returned function is called before. */
  readonly later: (milliseconds: number, run: () => void) => () => void
}

/** Tells the store what the gates of this process run and refuse, as gates elsewhere tell the API. */
export interface GateReports {
  heard(event: FollowEvent): void
  /** Resolves when the store is needed no more. */
  stop(): Promise<void>
}

export function reportGates(options: ReportGatesOptions): GateReports {
  const { tell, running, instance, started_at, later } = options
  const refusals = new Map<string, Refused>()
  let telling = Promise.resolve()
  let isSoon = false
  let stopped = false
  let cancel = later(AGAIN_MS, flush)

  function flush(): void {
    isSoon = false
    cancel = later(AGAIN_MS, flush)
    // That the store is away is told by others; it is told again anyway.
    telling = telling.then(() => tell(reports())).catch(() => {})
  }

  function reports(): readonly InstanceReport[] {
    const common = { instance, started_at }
    const run = new Map(running().map(({ zone, version, hash }) => [zone.id, { version, hash }]))
    return [...new Set([...run.keys(), ...refusals.keys()])].map((zone_id) => ({
      zone_id,
      ...common,
      ...(run.get(zone_id) ?? { version: 0, hash: '' }),
      refused: refusals.get(zone_id),
    }))
  }

  return {
    heard(event) {
      if (event.kind === 'lost' || event.kind === 'found') return
      const { kind, zone, version } = event
      if (kind === 'refused') refusals.set(zone, { version, ...reasonIn(event.cause) })
      else refusals.delete(zone)
      if (isSoon || stopped) return
      isSoon = true
      cancel()
      cancel = later(SOON_MS, flush)
    },
    async stop() {
      stopped = true
      cancel()
      await telling
    },
  }
}

/** The zone is refused by itself: where it stands among all of them is nothing to whoever reads it. */
function reasonIn(cause: unknown): Omit<Refused, 'version'> {
  const { pointer, ...reason } = whyRefused(cause)
  return inShort({ ...reason, pointer: pointer.replace(/^\/zones\/\d+/, '') })
}
