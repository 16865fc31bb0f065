import type { Transaction } from './database.js'
import { beginning, nameOf, type MarkedList } from './marked-list.js'

/** Who counts in a list waits for whoever does, to see every row that is counted. */
export async function lockList(tx: Transaction, list: MarkedList): Promise<void> {
  await tx
    .insertInto('list_marks')
    .values({ list: nameOf(list), start: beginning(list.table), n: 0 })
    .onConflict((conflict) =>
      conflict.columns(['list', 'start']).doUpdateSet(({ ref }) => ({ n: ref('list_marks.n') })),
    )
    .execute()
}
