import { z } from '@hono/zod-openapi'
import {
  flagQuery,
  forbidden,
  offsetOf,
  pageQuery,
  type Actor,
  type Listed,
} from '../http/index.js'
import type { Services } from '../store/index.js'
import { allTokens, pageOfTokens } from './api-tokens.js'
import type { TokenReach } from './token-reach.js'
import { ApiToken, tokenWire } from './token-schema.js'
import { anywhere, seesAll } from './within.js'

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
  reach: TokenReach,
  actor: Actor,
  query: z.output<typeof TokenSearch>,
): Promise<Listed<z.input<typeof ApiToken>>> {
  const now = at()
  if (!anywhere(actor, 'api_tokens:read')) throw forbidden('api_tokens:read')
  if (seesAll(actor) && query.include_expired !== false) {
    const listed = await pageOfTokens(db, query)
    return { ...listed, items: listed.items.map((row) => tokenWire(row, now)) }
  }
  const seen = []
  for (const row of await allTokens(db))
    if (await reach.covers(actor, row, 'api_tokens:read')) seen.push(tokenWire(row, now))
  const found = seen.filter(
    (token) => query.include_expired !== false || token.status !== 'expired',
  )
  if (query.direction === 'desc') found.reverse()
  const from = offsetOf(query)
  const items = found.slice(from, from + query.per_page)
  return { items, found: found.length, total: seen.length }
}
