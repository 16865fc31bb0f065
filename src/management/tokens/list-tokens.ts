import { z } from '@hono/zod-openapi'
import { flagQuery, forbidden, pageQuery, type Actor, type Listed } from '../http/index.js'
import {
  entriesOf,
  listPage,
  pageOfEntries,
  snapshot,
  stateOf,
  type Database,
  type Entries,
  type Row,
  type Services,
  type Transaction,
} from '../store/index.js'
import { ApiToken, tokenWire } from './token-schema.js'
import { visibleTokens } from './visible-tokens.js'
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
  const listed = await pageOfTokens(db, actor, query, now)
  return { ...listed, items: listed.items.map((row) => tokenWire(row, now)) }
}

const pageOfTokens = (
  db: Database,
  actor: Actor,
  { include_expired = true, ...page }: z.output<typeof TokenSearch>,
  now: number,
): Promise<Listed<TokenRow>> =>
  snapshot(db, async (tx) => {
    const list = { table: 'api_tokens' } as const
    const whole = seesAll(actor)
    if (whole && include_expired) return listPage(tx, list, page)
    // Who may see a token that is for a zone depends on the account which that is in.
    const { version } = await stateOf(tx, [list, { table: 'zones' }])
    const grants = actor.grants.map(({ permissions, scope }) => [[...permissions], scope])
    const visible = (expired: boolean): Promise<Entries> => {
      const name = JSON.stringify([list.table, grants, expired])
      const state = { version, at: now }
      return entriesOf(db, name, state, () => visibleTokens(tx, actor, expired, now))
    }
    const listed = await pageOfEntries(tx, { rows: rowsOf }, await visible(include_expired), page)
    if (include_expired) return { ...listed, total: listed.found }
    const total = whole ? (await stateOf(tx, [list])).total : (await visible(true)).length
    return { ...listed, total }
  })

const rowsOf = (tx: Transaction, ids: readonly string[]): Promise<readonly TokenRow[]> =>
  tx.selectFrom('api_tokens').selectAll().where('id', 'in', ids).execute()
