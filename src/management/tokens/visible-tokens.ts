import type { Actor } from '../http/index.js'
import { Entries, type Row, type Transaction } from '../store/index.js'
import { grantsOf } from './policies.js'
import { seesAll, within, type AccountOf } from './within.js'

/**
 * The ids of the tokens that an actor may read, the oldest first, with those that have expired or
 * without: that holds from when the last of them expired until the next one does (epoch µs).
 */
export async function visibleTokens(
  tx: Transaction,
  actor: Actor,
  expired: boolean,
  now: number,
): Promise<{ readonly entries: Entries; readonly from: number; readonly until: number }> {
  const whole = seesAll(actor)
  const accountOf = accountsOf(tx)
  const mayRead = (policies: string) =>
    within(actor, grantsOf(JSON.parse(policies)), 'api_tokens:read', accountOf)
  const ids: string[] = []
  let [from, until] = [0, Infinity]
  for await (const { id, policies, expires_at } of tokensOf(tx)) {
    if (!expired && expires_at !== null && expires_at <= now) {
      from = Math.max(from, expires_at)
      continue
    }
    if (!(whole || (await mayRead(policies)))) continue
    ids.push(id)
    if (!expired) until = Math.min(until, expires_at ?? Infinity)
  }
  return { entries: Entries.from(ids), from, until }
}

const AT_ONCE = 1000

/** Tokens in their order, not all in memory at once. */
async function* tokensOf(
  tx: Transaction,
): AsyncGenerator<Pick<Row<'api_tokens'>, 'id' | 'policies' | 'expires_at'>> {
  const tokens = tx
    .selectFrom('api_tokens')
    .select(['id', 'policies', 'expires_at', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(AT_ONCE)
  for (let rows = await tokens.execute(); rows.length > 0;) {
    yield* rows
    const { created_at, id } = rows.at(-1)!
    rows = await tokens
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '>', tuple(created_at, id)),
      )
      .execute()
  }
}

/** Asks once for each zone. */
function accountsOf(tx: Transaction): AccountOf {
  const known = new Map<string, string | undefined>()
  return async (id) => {
    if (known.has(id)) return known.get(id)
    const zones = tx.selectFrom('zones').select('account_id').where('id', '=', id)
    const account = (await zones.executeTakeFirst())?.account_id
    known.set(id, account)
    return account
  }
}
