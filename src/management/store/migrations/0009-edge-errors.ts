import type { Kysely } from 'kysely'
import { withRequired } from './with-required.js'

/** Custom error rules, error pages, branding, and the plan of a zone that they depend on. */
export async function edgeErrors(db: Kysely<unknown>): Promise<void> {
  const rulesets = withRequired(
    db.schema.createTable('error_rulesets').ifNotExists(),
    'text',
    'zone_id id name description rules',
  )
  await withRequired(rulesets, 'bigint', 'version created_at updated_at')
    .addPrimaryKeyConstraint('error_rulesets_key', ['zone_id'])
    .execute()
  const pages = withRequired(
    db.schema.createTable('error_pages').ifNotExists(),
    'text',
    'zone_id identifier content',
  )
  await withRequired(pages, 'bigint', 'created_at updated_at')
    .addColumn('url', 'text')
    .addPrimaryKeyConstraint('error_pages_key', ['zone_id', 'identifier'])
    .execute()
  const branding = withRequired(
    db.schema.createTable('error_branding').ifNotExists(),
    'text',
    'zone_id branding',
  )
  await withRequired(branding, 'bigint', 'updated_at')
    .addPrimaryKeyConstraint('error_branding_key', ['zone_id'])
    .execute()
  // SQLite has no `if not exists` for a column, and a migration may have been cut off after it.
  const zones = (await db.introspection.getTables()).find(({ name }) => name === 'zones')
  if (zones?.columns.every(({ name }) => name !== 'plan'))
    await db.schema
      .alterTable('zones')
      .addColumn('plan', 'text', (column) => column.notNull().defaultTo('free'))
      .execute()
}
