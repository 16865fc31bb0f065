/** For so long (µs) a key that was not in the set is not asked for again. */
export const ABSENT_FOR = 300_000_000
/** Some key that is not named: asking for it is never in vain. */
export const ANY_KEY = ''
const MAX_ABSENT = 1000
const MAX_WAITING = 1000

/** Keys of one set that tokens have named and nobody knows. Keys are texts that name one. */
export interface Demand {
  /** A token names this key. */
  ask(key: string, at: number): void
  /** From when on a fetch is wanted (epoch µs); `undefined` when none is. */
  readonly dueAt: number | undefined
  /** No fetch is possible before. */
  delay(until: number): void
  /** These keys are known by now. */
  known(keys: ReadonlySet<string>): void
  /** A fetch begins: it answers what was asked for so far. */
  begin(): void
  /** It ended; `keys` is what it found, `undefined` when it failed. */
  end(keys: ReadonlySet<string> | undefined, at: number): void
}

/**
 * What a set is asked for. Any number of unknown keys is one wish for a fetch, and those it did not
 * bring wish for nothing for a while: tokens with made-up keys cost no more than one fetch an
 * interval, and a new key waits for the next one at most.
 */
export function createDemand(): Demand {
  const absent = new Map<string, number>()
  let waiting = new Set<string>()
  /** Named while a fetch was under way, whose answer may be older than the key. */
  let late = new Set<string>()
  let fetching = false
  let notBefore = 0

  function remember(key: string, until: number): void {
    absent.delete(key)
    if (absent.size >= MAX_ABSENT) absent.delete(absent.keys().next().value!)
    absent.set(key, until)
  }

  return {
    ask(key, at) {
      if ((absent.get(key) ?? 0) > at) return
      const wishes = fetching ? late : waiting
      if (wishes.size < MAX_WAITING) wishes.add(key)
    },
    get dueAt() {
      return fetching || waiting.size === 0 ? undefined : notBefore
    },
    delay: (until) => void (notBefore = until),
    known(keys) {
      for (const key of keys) waiting.delete(key)
    },
    begin: () => void (fetching = true),
    end(keys, at) {
      if (keys !== undefined)
        for (const key of waiting)
          if (!keys.has(key) && key !== ANY_KEY) remember(key, at + ABSENT_FOR)
      waiting = new Set([...late].filter((key) => (absent.get(key) ?? 0) <= at))
      late = new Set()
      fetching = false
    },
  }
}
