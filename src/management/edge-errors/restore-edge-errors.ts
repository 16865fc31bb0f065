import type { Change, Row } from '../store/index.js'
import { checkErrorRules } from './check-error-rules.js'
import { rulesOf, saying, type KeptRule } from './ruleset-row.js'
import type { StoredPart } from './stored-part.js'
import { writeRuleset } from './write-ruleset.js'

type ZoneChange = Change & { readonly zone: Row<'zones'> }

/**
 * Gives a zone the error rules, pages and branding that an earlier version of its policy has; none
 * for a version from before there were any. The plan stays what it is. The zone itself has to be
 * restored before: rules are compiled with its lists.
 *
 * @throws {ApiError} 400 for a rule that does not compile any more
 */
export async function restoreEdgeErrors(change: ZoneChange, part: unknown): Promise<void> {
  const { rules = [], pages = [], branding = null } = (part ?? {}) as Partial<StoredPart>
  await restoreRules(change, rules)
  await restorePages(change, pages)
  const { tx, zone, at } = change
  await tx.deleteFrom('error_branding').where('zone_id', '=', zone.id).execute()
  if (branding !== null)
    await tx
      .insertInto('error_branding')
      .values({ zone_id: zone.id, branding: JSON.stringify(branding), updated_at: at })
      .execute()
}

async function restoreRules(change: ZoneChange, wanted: StoredPart['rules']): Promise<void> {
  const { tx, zone, at } = change
  const before = await tx
    .selectFrom('error_rulesets')
    .selectAll()
    .where('zone_id', '=', zone.id)
    .executeTakeFirst()
  if (before === undefined && wanted.length === 0) return
  const known = new Map(before && rulesOf(before).map((rule) => [rule.id, rule]))
  const rules = wanted.map((rule): KeptRule => {
    const now = known.get(rule.id)
    if (now !== undefined && JSON.stringify(saying(now)) === JSON.stringify(rule)) return now
    return { ...rule, version: (now?.version ?? 0) + 1, updated_at: at }
  })
  if (before === undefined || before.rules !== JSON.stringify(rules))
    await writeRuleset(change, before, { rules })
  const restored = await tx
    .selectFrom('zones')
    .selectAll()
    .where('id', '=', zone.id)
    .executeTakeFirstOrThrow()
  await checkErrorRules(tx, restored)
}

async function restorePages(
  { tx, zone, at }: ZoneChange,
  wanted: StoredPart['pages'],
): Promise<void> {
  const zone_id = zone.id
  const there = await tx
    .selectFrom('error_pages')
    .selectAll()
    .where('zone_id', '=', zone_id)
    .execute()
  const known = new Map(there.map((row) => [row.identifier, row]))
  await tx.deleteFrom('error_pages').where('zone_id', '=', zone_id).execute()
  for (const page of wanted) {
    const before = known.get(page.identifier)
    const same = before?.content === page.content && before.url === page.url
    await tx
      .insertInto('error_pages')
      .values({
        zone_id,
        ...page,
        created_at: before?.created_at ?? at,
        updated_at: same ? before.updated_at : at,
      })
      .execute()
  }
}
