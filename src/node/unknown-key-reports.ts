import type { UnknownKey } from '../edge/gate/index.js'

const WINDOW_MS = 10_000
/** Keys of one configuration told of in a window. */
const MAX_A_WINDOW = 5
/** Time for keys to be told of together. */
const GATHER_MS = 20
const TELL_AGAIN_MS = 60_000
const MAX_TOLD = 1000

/** What is told of one configuration; `more`: there are others that are not named. */
export interface UnknownKeyReport {
  readonly configuration_id: string
  readonly keys: readonly Pick<UnknownKey, 'alg' | 'kid'>[]
  readonly more?: boolean
}

export interface UnknownKeyReportsOptions {
  readonly send: (report: UnknownKeyReport) => Promise<void>
  /** Milliseconds that only grow. */
  readonly now: () => number
  /** Calls `run` once, in so many milliseconds, unless the returned function is called before. */
  readonly later: (milliseconds: number, run: () => void) => () => void
}

/** Tells management of keys that tokens name in vain. */
export interface UnknownKeyReports {
  heard(unknown: UnknownKeyReport): void
  stop(): void
}

/**
 * Keys in vain are told of at once, and seldom when there are many: a flood of made-up keys becomes a
 * few calls, each of which says that there were more, so that a real one among them is not lost.
 */
export function createUnknownKeyReports(options: UnknownKeyReportsOptions): UnknownKeyReports {
  const configurations = new Map<string, ReturnType<typeof createReport>>()
  return {
    heard({ configuration_id, keys, more = false }) {
      let report = configurations.get(configuration_id)
      if (report === undefined) {
        report = createReport(configuration_id, options)
        configurations.set(configuration_id, report)
      }
      report.heard(keys, more)
    },
    stop() {
      for (const report of configurations.values()) report.stop()
    },
  }
}

function createReport(configuration_id: string, { send, now, later }: UnknownKeyReportsOptions) {
  /** Until when a key is not told of again. */
  const told = new Map<string, number>()
  const waiting = new Map<string, Pick<UnknownKey, 'alg' | 'kid'>>()
  let [more, left, windowEnds] = [false, MAX_A_WINDOW, 0]
  let cancel: (() => void) | undefined

  function plan(): void {
    const open = left > 0 || now() >= windowEnds
    cancel ??= later(open ? GATHER_MS : windowEnds - now(), () => {
      cancel = undefined
      void flush()
    })
  }

  async function flush(): Promise<void> {
    if (now() >= windowEnds) [left, windowEnds] = [MAX_A_WINDOW, now() + WINDOW_MS]
    const batch = [...waiting].slice(0, left)
    const report = { configuration_id, keys: batch.map(([, key]) => key), more }
    more = false
    left -= batch.length
    for (const [name] of batch) {
      waiting.delete(name)
      if (told.size >= MAX_TOLD) told.delete(told.keys().next().value!)
      told.set(name, now() + TELL_AGAIN_MS)
    }
    if (waiting.size > 0) plan()
    try {
      await send(report)
    } catch {
      // Management is away, which others tell of: the next token with the key tries again.
      for (const [name] of batch) told.delete(name)
    }
  }

  return {
    heard(keys: UnknownKeyReport['keys'], others: boolean): void {
      const news = keys.map(({ alg, kid }) => [JSON.stringify([alg, kid]), { alg, kid }] as const)
      const due = news.filter(([name]) => !((told.get(name) ?? 0) > now()))
      for (const [name, key] of due) {
        if (waiting.size < MAX_A_WINDOW) waiting.set(name, key)
        else if (!waiting.has(name)) more = true
      }
      more ||= others
      if (due.length > 0 || others) plan()
    },
    stop: () => cancel?.(),
  }
}
