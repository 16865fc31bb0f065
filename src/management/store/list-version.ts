import { sql } from 'kysely'
import type { Transaction } from './database.js'
import { beginning, nameOf, type MarkedList } from './marked-list.js'

/** Lists whose changes are noted: the marked ones, and the rules of zones. */
export type VersionedList =
  | MarkedList
  | { readonly table: 'rules'; readonly scope: { readonly column: 'zone_id'; readonly id: string } }

/** The first mark of a list, which stays for good: so no version of it comes twice. */
const firstMark = ({ table }: VersionedList): string => (table === 'rules' ? '' : beginning(table))

/**
 * Notes that a list has changed, in the transaction that changes it. Who changes it as well waits
 * for that one to end, and so sees every row that it counted.
 */
export async function newVersion(tx: Transaction, list: VersionedList): Promise<void> {
  await tx
    .insertInto('list_marks')
    .values({ list: nameOf(list), start: firstMark(list), n: 0, version: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['list', 'start'])
        .doUpdateSet(({ eb }) => ({ version: eb('list_marks.version', '+', 1) })),
    )
    .execute()
}

/** What tells one state of a list from all others that it had before. */
export interface ListState {
  readonly version: number
  /** Rows that are counted in its marks. */
  readonly total: number
}

/** Reads the state of a list, or of several together. Read it and their rows in one snapshot. */
export async function stateOf(
  tx: Transaction,
  lists: readonly VersionedList[],
): Promise<ListState> {
  // Versions only grow, and so does their sum.
  const { rows } = await sql<{ version: number | null; total: number | null }>`
    select cast(sum(version) as bigint) as version, cast(sum(n) as bigint) as total
    from list_marks where list in (${sql.join(lists.map(nameOf))})
  `.execute(tx)
  return { version: rows[0]?.version ?? 0, total: rows[0]?.total ?? 0 }
}
