import { ApiError, CODES, offsetOf, type Listed, type Page } from '../http/index.js'
import {
  changeZone,
  countOf,
  type Database,
  type Origin,
  type Row,
  type Services,
} from '../store/index.js'
import type { Normalised } from './normalise.js'
import { insertOperations } from './operations.js'

type SchemaRow = Row<'api_schemas'>

/** Schemas of one zone. */
const MAX_SCHEMAS = 50

/** A document as it is uploaded. */
export interface SchemaInput {
  readonly name: string
  readonly source: string
  readonly validation_enabled: boolean
}

/** Keeps a document and adds its operations, in one change. */
export async function createSchema(
  { db, newId }: Services,
  zoneId: string,
  { name, source, validation_enabled }: SchemaInput,
  operations: readonly Normalised[],
  origin: Origin,
): Promise<SchemaRow> {
  const change = { ...origin, zone_id: zoneId, parts: ['operations'] as const }
  return changeZone(db, newId, change, async (under) => {
    const there = await countOf(under.tx.selectFrom('api_schemas').where('zone_id', '=', zoneId))
    if (there >= MAX_SCHEMAS)
      throw new ApiError(409, CODES.conflict, `a zone has at most ${MAX_SCHEMAS} schemas`)
    const row: SchemaRow = {
      zone_id: zoneId,
      id: newId(),
      name,
      kind: 'openapi_v3',
      source,
      validation_enabled: validation_enabled ? 1 : 0,
      created_at: origin.at,
      updated_at: origin.at,
    }
    await under.tx.insertInto('api_schemas').values(row).execute()
    under.record({ action: 'create', ...named(row), after: audited(row) })
    await insertOperations(under, newId, zoneId, operations)
    return row
  })
}

/** Schemas of a zone, the oldest first. Without their sources where those are not wanted. */
export async function listSchemas(
  db: Database,
  zoneId: string,
  search: Page & {
    readonly omit_source?: boolean | undefined
    readonly validation_enabled?: boolean | undefined
  },
): Promise<Listed<Omit<SchemaRow, 'source'> & { readonly source?: string }>> {
  const all = db.selectFrom('api_schemas').where('zone_id', '=', zoneId)
  const enabled = search.validation_enabled
  const found = enabled === undefined ? all : all.where('validation_enabled', '=', enabled ? 1 : 0)
  const items = await found
    .select(['zone_id', 'id', 'name', 'kind', 'validation_enabled', 'created_at', 'updated_at'])
    .$if(search.omit_source !== true, (rows) => rows.select('source'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(search.per_page)
    .offset(offsetOf(search))
    .execute()
  return { items, found: await countOf(found), total: await countOf(all) }
}

export const findSchema = (
  db: Database,
  zoneId: string,
  id: string,
): Promise<SchemaRow | undefined> =>
  db
    .selectFrom('api_schemas')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Switches a schema on or off; `undefined` when there is none. */
export async function updateSchema(
  { db, newId }: Services,
  zoneId: string,
  id: string,
  enabled: boolean,
  origin: Origin,
): Promise<SchemaRow | undefined> {
  return changeZone(db, newId, { ...origin, zone_id: zoneId, parts: [] }, async (under) => {
    const before = await findSchema(under.tx, zoneId, id)
    if (before === undefined) return undefined
    const after = { ...before, validation_enabled: enabled ? 1 : 0, updated_at: origin.at }
    await under.tx
      .updateTable('api_schemas')
      .set(after)
      .where('zone_id', '=', zoneId)
      .where('id', '=', id)
      .execute()
    const change = { before: audited(before), after: audited(after) }
    under.record({ action: 'update', ...named(after), ...change })
    return after
  })
}

/** Deletes a schema and tells whether there was one. Its operations stay: rules may be about them. */
export async function deleteSchema(
  { db, newId }: Services,
  zoneId: string,
  id: string,
  origin: Origin,
): Promise<boolean> {
  return changeZone(db, newId, { ...origin, zone_id: zoneId, parts: [] }, async (under) => {
    const before = await under.tx
      .deleteFrom('api_schemas')
      .where('zone_id', '=', zoneId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (before !== undefined)
      under.record({ action: 'delete', ...named(before), before: audited(before) })
    return before !== undefined
  })
}

const named = ({ id }: SchemaRow) => ({ object_type: 'api_schema', object_id: id })

/** The log keeps what it is about, not a megabyte of it. */
const audited = ({ name, kind, source, validation_enabled }: SchemaRow) => ({
  name,
  kind,
  source_length: source.length,
  validation_enabled: validation_enabled === 1,
})
