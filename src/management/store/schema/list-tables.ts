import type { Generated } from 'kysely'

/** What long lists are paged with. */
export interface ListTables {
  readonly list_marks: ListMarkTable
}

/** Stretches of lists, in their order: what finds a page of a long list. */
interface ListMarkTable {
  /** Which list. */
  list: string
  /** The lowest key that may lie in the stretch; numbers as text in their order. */
  start: string
  /** Rows in it. */
  n: number
  /** Of the first stretch: how often the list has changed. */
  version: Generated<number>
}
