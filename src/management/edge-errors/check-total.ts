import { ApiError } from '../http/index.js'
import type { Transaction } from '../store/index.js'
import { CODES } from './codes.js'
import { byteLength, LIMITS } from './limits.js'
import { rulesOf } from './ruleset-row.js'

/**
 * Refuses what makes a zone's contents, pages and logo too large together.
 * @throws {ApiError} 400
 */
export async function checkTotal(
  tx: Transaction,
  zoneId: string,
  pointer: string | undefined,
): Promise<void> {
  const ruleset = await tx
    .selectFrom('error_rulesets')
    .select('rules')
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()
  const pages = await tx
    .selectFrom('error_pages')
    .select('content')
    .where('zone_id', '=', zoneId)
    .execute()
  const look = await tx
    .selectFrom('error_branding')
    .select('branding')
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()
  const texts = [
    ...(ruleset === undefined ? [] : rulesOf(ruleset)).map(
      (rule) => rule.action_parameters.content,
    ),
    ...pages.map(({ content }) => content),
    look?.branding ?? '',
  ]
  const total = texts.reduce((sum, text) => sum + byteLength(text), 0)
  if (total <= LIMITS.total) return
  const expected = `expected at most ${LIMITS.total} bytes of rules, pages and branding together`
  throw new ApiError(400, CODES.too_large, `${expected}; with this they are ${total}`, pointer)
}
