import { z } from '@hono/zod-openapi'
import { flagQuery, forbidden, pageQuery, type Actor, type Listed } from '../http/index.js'
import {
  areSettled,
  entriesOf,
  listPage,
  pageOfEntries,
  settleReaches,
  snapshot,
  stateOf,
  viewPage,
  type Database,
  type Entries,
  type ListView,
  type Row,
  type Services,
  type Transaction,
  type View,
} from '../store/index.js'
import { ApiToken, tokenWire } from './token-schema.js'
import { visibleOf, visibleReaches, type VisibleReaches } from './visible-reaches.js'
import {
  FEW_TOKENS,
  MOST_REACHES,
  selectTokens,
  tokensOfMany,
  unexpiredTokens,
} from './visible-tokens.js'
import { anywhere, seesAll } from './within.js'

type TokenRow = Row<'api_tokens'>

/** What a list of tokens is narrowed and ordered by. */
export const TokenSearch = z.object({
  ...pageQuery,
  direction: z.enum(['asc', 'desc']).default('asc'),
  include_expired: flagQuery.optional(),
})

/**
 * The tokens that a caller reaches, the oldest first.
 * @throws {ApiError} 403 for one who may read none at all
 */
export async function listTokens(
  { db, at }: Pick<Services, 'db' | 'at'>,
  actor: Actor,
  query: z.output<typeof TokenSearch>,
): Promise<Listed<z.input<typeof ApiToken>>> {
  if (!anywhere(actor, 'api_tokens:read')) throw forbidden('api_tokens:read')
  const now = at()
  let listed = await pageOfTokens(db, actor, query, now)
  while (listed === undefined) {
    await settleReaches(db)
    listed = await pageOfTokens(db, actor, query, now)
  }
  return { ...listed, items: listed.items.map((row) => tokenWire(row, now)) }
}

const LIST = { table: 'api_tokens' } as const
/** Who may see a token that is for a zone depends on the account which that is in. */
const LISTS = [LIST, { table: 'zones' }] as const

/** `undefined` while it is not known of every token who may see it. */
const pageOfTokens = (
  db: Database,
  actor: Actor,
  { include_expired: expired = true, ...page }: z.output<typeof TokenSearch>,
  now: number,
): Promise<Listed<TokenRow> | undefined> =>
  snapshot(db, async (tx) => {
    const whole = seesAll(actor)
    if (whole && expired) return listPage(tx, LIST, page)
    if (!whole && !(await areSettled(tx))) return undefined
    const { version } = await stateOf(tx, LISTS)
    const grants = actor.grants.map(({ permissions, scope }) => [[...permissions], scope])
    const kept = (
      what: string,
      find: () => Promise<Pick<View, 'entries' | 'from' | 'until'>>,
    ): Promise<Entries> => {
      const name = JSON.stringify([LIST.table, what, grants])
      return entriesOf(db, name, { version, at: now }, find)
    }
    const find = async () => ({ entries: await visibleReaches(tx, actor) })
    const visible = whole ? undefined : visibleOf(await kept('reaches', find))
    const total = visible?.tokens ?? (await stateOf(tx, [LIST])).total
    if (total === 0) return { items: [], found: 0, total }
    const scattered = visible !== undefined && visible.many > MOST_REACHES
    if (visible !== undefined && !scattered && expired)
      return { ...(await viewPage(db, tx, viewOf(tx, visible), page)), total }
    const entries = await kept(expired ? 'visible' : 'unexpired', () =>
      scattered ? tokensOfMany(tx, visible, expired, now) : unexpiredTokens(tx, now, visible),
    )
    return { ...(await pageOfEntries(tx, { rows: rowsOf }, entries, page)), total }
  })

const viewOf = (tx: Transaction, visible: VisibleReaches): ListView<TokenRow> => ({
  of: LISTS,
  ids: (way) => selectTokens(tx, visible, way),
  rows: rowsOf,
  ...(visible.tokens > FEW_TOKENS && { found: visible.tokens }),
})

const rowsOf = (tx: Transaction, ids: readonly string[]): Promise<readonly TokenRow[]> =>
  tx.selectFrom('api_tokens').selectAll().where('id', 'in', ids).execute()
