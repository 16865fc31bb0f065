import type { Row, Transaction } from '../store/index.js'

/**
 * An account as it is, which until the transaction ends nobody else changes, deletes or gives a zone;
 * `undefined` when it is gone.
 */
export const lockAccount = (tx: Transaction, id: string): Promise<Row<'accounts'> | undefined> =>
  // Writing the row takes its lock on every dialect; reading it would not.
  tx
    .updateTable('accounts')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
