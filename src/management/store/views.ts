import type { Database } from './database.js'
import type { Entries } from './entries.js'

/** Which rows a list shows and in which order, as it was in one state of the database. */
export interface View {
  readonly entries: Entries
  /** Of the lists that it is made of. */
  readonly version: number
  /** Where time changes it too: from when on, and up to when, it holds. Epoch µs. */
  readonly from?: number
  readonly until?: number
  /** Of a list that is only added to: how many rows it had, and the time of the newest. */
  readonly seen?: { readonly total: number; readonly newest: number }
}

/** What the views of one database may take in the memory of one process, in bytes. */
const MOST = 64 * 2 ** 20
/** What a view takes beside its entries. */
const BESIDE = 500

/** Views by what is asked. Those not asked for longest are forgotten first. */
export class Views {
  readonly #most: number
  readonly #views = new Map<string, { readonly view: View; readonly size: number }>()
  #size = 0

  constructor(most: number = MOST) {
    this.#most = most
  }

  get(key: string): View | undefined {
    const kept = this.#views.get(key)
    if (kept === undefined) return undefined
    this.#views.delete(key)
    this.#views.set(key, kept)
    return kept.view
  }

  /** Keeps a view, unless one of a later state is there. */
  set(key: string, view: View): void {
    if ((this.#views.get(key)?.view.version ?? 0) > view.version) return
    this.#remove(key)
    const size = 2 * key.length + view.entries.size + BESIDE
    if (size > this.#most) return
    this.#views.set(key, { view, size })
    this.#size += size
    for (const oldest of this.#views.keys()) {
      if (this.#size <= this.#most) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#size -= this.#views.get(key)?.size ?? 0
    this.#views.delete(key)
  }
}

const all = new WeakMap<Database, Views>()

/** The views of a database. */
export function viewsOf(db: Database): Views {
  const views = all.get(db) ?? new Views()
  all.set(db, views)
  return views
}

/** The entries of a view as they are in a state, found anew unless it is kept; `at` in epoch µs. */
export async function entriesOf(
  db: Database,
  name: string,
  { version, at = 0 }: { readonly version: number; readonly at?: number },
  find: () => Promise<Pick<View, 'entries' | 'from' | 'until'>>,
): Promise<Entries> {
  const kept = viewsOf(db).get(name)
  if (kept?.version === version) {
    const { entries, from = 0, until = Infinity } = kept
    if (from <= at && at < until) return entries
  }
  const found = { version, ...(await find()) }
  viewsOf(db).set(name, found)
  return found.entries
}
