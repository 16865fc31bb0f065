import { GONE, onAnnouncement, onCommit, type Database } from '../store/index.js'

/** How often other processes' changes are looked for, in milliseconds. */
const LOOK_EVERY = 1000

/** Whoever wants to hear of changes. */
export interface Subscriber {
  changed(zoneId: string, version: number): void
  /** Nothing will be told any more. */
  closed?(): void
}

/** One subscription. */
export interface Subscription {
  /** From here on no change is missed, whichever process makes it. */
  readonly ready: Promise<void>
  readonly stop: () => void
}

/** Tells every change of a policy to whoever subscribes. */
export interface News {
  subscribe(subscriber: Subscriber): Subscription
  close(): void
}

/** What news are made of. */
export interface NewsOptions {
  readonly db: Database
  readonly every: (milliseconds: number, run: () => void) => () => void
  readonly onFault: (cause: unknown) => void
}

/**
 * News of all zones of a database. Changes made through it are told at once, and those of other
 * processes where the database announces them; it is looked at each second as well, as long as there
 * is a subscriber.
 */
export function createNews({ db, every, onFault }: NewsOptions): News {
  const subscribers = new Set<Subscriber>()
  /** The newest version told of, by zone; undefined before the first look. */
  let known: Map<string, number> | undefined
  let looking: Promise<void> | undefined
  let failing = false
  let end: (() => void) | undefined

  function tell(zoneId: string, version: number): void {
    // A look may have begun before a newer version was told of.
    if (version !== GONE && version <= (known?.get(zoneId) ?? -1)) return
    if (version === GONE) known?.delete(zoneId)
    else known?.set(zoneId, version)
    for (const subscriber of subscribers) {
      try {
        subscriber.changed(zoneId, version)
      } catch (cause) {
        onFault(cause)
      }
    }
  }

  async function look(): Promise<void> {
    const before = known && new Map(known)
    try {
      const rows = await db.selectFrom('zones').select(['id', 'policy_version']).execute()
      failing = false
      const found = new Map(rows.map((row) => [row.id, row.policy_version]))
      known ??= found
      for (const [id, version] of found) tell(id, version)
      for (const id of before?.keys() ?? []) if (!found.has(id)) tell(id, GONE)
    } catch (cause) {
      if (!failing) onFault(cause)
      failing = true
    }
  }

  const lookOnce = () => (looking ??= look().finally(() => (looking = undefined)))

  /** A look under way may have read before the change. */
  const lookAfter = () => void (looking === undefined ? lookOnce() : looking.then(lookOnce))

  function start(): void {
    const unlisten = onCommit(db, tell)
    const unhear = onAnnouncement(db, lookAfter)
    const rest = every(LOOK_EVERY, () => void lookOnce())
    end = () => {
      unlisten()
      unhear()
      rest()
      end = undefined
      known = undefined
    }
  }

  function stop(subscriber: Subscriber): void {
    subscribers.delete(subscriber)
    if (subscribers.size === 0) end?.()
  }

  return {
    subscribe(subscriber) {
      subscribers.add(subscriber)
      if (end === undefined) start()
      return {
        ready: known === undefined ? lookOnce() : Promise.resolve(),
        stop: () => stop(subscriber),
      }
    },
    close() {
      for (const subscriber of subscribers) {
        stop(subscriber)
        subscriber.closed?.()
      }
    },
  }
}
