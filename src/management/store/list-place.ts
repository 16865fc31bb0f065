import type { Transaction } from './database.js'
import { rowsBetween } from './list-rows.js'
import { beginning, decoded, encoded, MAX_KEY, nameOf, type MarkedList } from './marked-list.js'

/** Where to begin to read rows of a list, and how many to pass over there. */
export interface ListPlace {
  readonly from: string | number
  readonly offset: number
}

/** A list as its marks tell of it. Read them and the rows in one snapshot. */
export interface Marks {
  /** How many rows the list has. */
  readonly total: number
  /** Finds a row by its number, counted from 0 at the lowest key. */
  place(number: number): ListPlace
  /** How many rows are older than a time. Of lists in the order of time. */
  rank(time: number): Promise<number>
}

/** Reads the marks of a list: one row for every thousand or two. */
export async function readMarks(tx: Transaction, list: MarkedList): Promise<Marks> {
  const marks = await tx
    .selectFrom('list_marks')
    .select(['start', 'n'])
    .where('list', '=', nameOf(list))
    .orderBy('start')
    .execute()
  let total = 0
  const stretches = marks.map(({ start, n }) => ({ start, before: (total += n) - n }))
  return {
    total,
    place(number) {
      const stretch = stretches.findLast(({ before }) => before <= number)
      const { start, before } = stretch ?? { start: beginning(list.table), before: 0 }
      return { from: decoded(list.table, start), offset: number - before }
    },
    async rank(time) {
      const key = Math.max(0, Math.min(time, MAX_KEY))
      const stretch = stretches.findLast(({ start }) => start <= encoded(key))
      if (stretch === undefined) return 0
      const { start, before } = stretch
      return before + (await rowsBetween(tx, list, decoded(list.table, start), key))
    },
  }
}
