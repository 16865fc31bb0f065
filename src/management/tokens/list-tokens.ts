import type { Actor, Listed, Page } from '../http/index.js'
import {
  Entries,
  entriesOf,
  listPage,
  pageOfEntries,
  snapshot,
  stateOf,
  type Row,
  type Services,
  type Transaction,
} from '../store/index.js'
import { grantsOf } from './policies.js'
import { seesAll, within, type AccountOf } from './within.js'

type TokenRow = Row<'api_tokens'>

/** Which page of tokens is asked for, and whether those that have expired are among them. */
export interface TokenSearch extends Page {
  readonly direction: 'asc' | 'desc'
  readonly include_expired?: boolean | undefined
}

/** A page of the tokens that an actor may see, the oldest first unless asked otherwise. */
export const listTokens = (
  { db, at }: Pick<Services, 'db' | 'at'>,
  actor: Actor,
  { include_expired = true, ...page }: TokenSearch,
): Promise<Listed<TokenRow>> =>
  snapshot(db, async (tx) => {
    const whole = seesAll(actor)
    if (whole && include_expired) return listPage(tx, { table: 'api_tokens' }, page)
    // Who may see a token that is for a zone depends on the account which that is in.
    const { version } = await stateOf(tx, [{ table: 'api_tokens' }, { table: 'zones' }])
    const grants = actor.grants.map(({ permissions, scope }) => [[...permissions], scope])
    const visible = (expired: boolean): Promise<Entries> => {
      const name = JSON.stringify(['api_tokens', grants, expired])
      const now = at()
      return entriesOf(db, name, { version, at: now }, () => findVisible(tx, actor, expired, now))
    }
    const listed = await pageOfEntries(tx, { rows: rowsOf }, await visible(include_expired), page)
    if (include_expired) return { ...listed, total: listed.found }
    const total = whole
      ? (await stateOf(tx, [{ table: 'api_tokens' }])).total
      : (await visible(true)).length
    return { ...listed, total }
  })

const rowsOf = (tx: Transaction, ids: readonly string[]): Promise<readonly TokenRow[]> =>
  tx.selectFrom('api_tokens').selectAll().where('id', 'in', ids).execute()

/** Looks at every token there is. What is found holds from when the last of them expired until the next one does. */
async function findVisible(
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
): AsyncGenerator<Pick<TokenRow, 'id' | 'policies' | 'expires_at'>> {
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
