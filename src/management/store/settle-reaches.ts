import type { Database, Transaction } from './database.js'
import { newVersion } from './list-version.js'
import { reachDigest } from './reach-digest.js'

const AT_ONCE = 500

/** Tokens of which it is not known what they may do: a process that knows no reaches wrote them. */
const unsettled = (db: Database, many: number) =>
  db
    .selectFrom('api_tokens')
    .select(['id', 'policies'])
    .where('reach', '=', '')
    .orderBy('id')
    .limit(many)
    .execute()

/** Whether the reach of every token is what its policies say. Ask in the snapshot that reads them. */
export const areSettled = async (tx: Transaction): Promise<boolean> =>
  (await unsettled(tx, 1)).length === 0

/** Finds out of every token what it may do. */
export async function settleReaches(db: Database): Promise<void> {
  if (!db.isTransaction)
    return db.transaction().setIsolationLevel('read committed').execute(settleReaches)
  let tokens = await unsettled(db, AT_ONCE)
  if (tokens.length === 0) return
  for (; tokens.length > 0; tokens = await unsettled(db, AT_ONCE))
    for (const { id, policies } of tokens)
      await db
        .updateTable('api_tokens')
        .set({ reach: await reachDigest(policies) })
        .where('id', '=', id)
        // They may have been changed since.
        .where('policies', '=', policies)
        .execute()
  await newVersion(db as Transaction, { table: 'api_tokens' })
}
