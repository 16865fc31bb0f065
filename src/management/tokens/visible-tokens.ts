import { sql, type SelectQueryBuilder } from 'kysely'
import { Entries, selectEntries, type Schema, type Transaction } from '../store/index.js'
import type { VisibleReaches } from './visible-reaches.js'

/** Ids of tokens, and from and up to when (epoch µs) they are those. */
export interface TokensForNow {
  readonly entries: Entries
  readonly from: number
  readonly until: number
}

/** A statement takes so many reaches; of more it is told here which tokens have one of them. */
export const MOST_REACHES = 500
/** So many tokens are found by their reaches; of more, all tokens are walked along in their order. */
export const FEW_TOKENS = 1000

type Ids = SelectQueryBuilder<Schema, 'api_tokens', { readonly id: string }>

/** Selects the visible tokens, or all, the oldest first or from the end. */
export function selectTokens(tx: Transaction, visible?: VisibleReaches, way?: 'asc' | 'desc'): Ids {
  const tokens = tx.selectFrom('api_tokens').select('id')
  const ordered = tokens.orderBy('created_at', way).orderBy('id', way)
  if (visible === undefined) return ordered
  if (visible.tokens <= FEW_TOKENS) return ordered.where('reach', 'in', visible.reaches())
  // No index serves an expression: so the rows are read along that of their order.
  return ordered.where(sql<string>`reach || ''`, 'in', visible.reaches())
}

/** The tokens among the visible ones, or all, that have not expired, the oldest first. */
export async function unexpiredTokens(
  tx: Transaction,
  now: number,
  visible?: VisibleReaches,
): Promise<TokensForNow> {
  const { rows } = await sql<{ gone: number | null; next: number | null }>`
    select (select max(expires_at) from api_tokens where expires_at <= ${now}) as gone,
      (select min(expires_at) from api_tokens where expires_at > ${now}) as next
  `.execute(tx)
  const tokens = selectTokens(tx, visible).where(({ eb, or }) =>
    or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
  )
  const entries = await selectEntries(tx, tokens)
  return { entries, from: rows[0]?.gone ?? 0, until: rows[0]?.next ?? Infinity }
}

/** The tokens that have one of many reaches, the oldest first, with expired ones or without. */
export async function tokensOfMany(
  tx: Transaction,
  visible: VisibleReaches,
  expired: boolean,
  now: number,
): Promise<TokensForNow> {
  const reaches = new Set(visible.reaches())
  const ids: string[] = []
  let [from, until] = [0, Infinity]
  for await (const { id, reach, expires_at } of allTokens(tx)) {
    if (!expired && expires_at !== null && expires_at <= now) {
      from = Math.max(from, expires_at)
      continue
    }
    if (!reaches.has(reach)) continue
    ids.push(id)
    if (!expired) until = Math.min(until, expires_at ?? Infinity)
  }
  return { entries: Entries.from(ids), from, until }
}

const AT_ONCE = 1000

/** Tokens in their order, not all in memory at once. */
async function* allTokens(tx: Transaction): AsyncGenerator<{
  readonly id: string
  readonly reach: string
  readonly expires_at: number | null
}> {
  const tokens = tx
    .selectFrom('api_tokens')
    .select(['id', 'reach', 'expires_at', 'created_at'])
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
