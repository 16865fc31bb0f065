import { ApiError, type Message } from '../http/index.js'
import {
  changeZone,
  digest,
  type Database,
  type Origin,
  type Row,
  type Services,
} from '../store/index.js'
import { checkPage } from './check-page.js'
import { checkTotal } from './check-total.js'
import { fetchPage } from './fetch-page.js'
import { judgeEdgeErrors } from './judge-edge-errors.js'
import { byteLength } from './limits.js'
import type { Outbound } from '../http/index.js'
import type { PageKind } from './page-identifiers.js'
import type { PageInput } from './page-schema.js'

type PageRow = Row<'error_pages'>

/** Which page of which zone. */
export interface PageRef {
  readonly zone_id: string
  readonly identifier: string
}

/** A page that somebody wrote; `undefined` where the default stands. */
export const findPage = (
  db: Database,
  { zone_id, identifier }: PageRef,
): Promise<PageRow | undefined> =>
  db
    .selectFrom('error_pages')
    .selectAll()
    .where('zone_id', '=', zone_id)
    .where('identifier', '=', identifier)
    .executeTakeFirst()

/**
 * Saves a page, or brings its default back. What is at an address is fetched first, once.
 * @throws {ApiError} 400 for what is no page, or is not to be had
 */
export async function savePage(
  { db, newId }: Services,
  { zone_id, identifier, kind }: PageRef & { readonly kind: PageKind },
  input: PageInput,
  { origin, outbound }: { readonly origin: Origin; readonly outbound: Outbound | undefined },
): Promise<{ readonly row: PageRow | undefined; readonly messages: readonly Message[] }> {
  const url = input.url || null
  const page = input.state === 'default' ? undefined : await contentOf(input, outbound)
  const pointer = url === null ? '/content' : '/url'
  const notices = page === undefined ? [] : checkPage(page, kind, pointer)
  const change = { ...origin, zone_id, parts: ['edge_errors'] as const }
  return changeZone(db, newId, change, async ({ tx, zone, at, record }) => {
    const before = await findPage(tx, { zone_id, identifier })
    await tx
      .deleteFrom('error_pages')
      .where('zone_id', '=', zone_id)
      .where('identifier', '=', identifier)
      .execute()
    const row =
      page === undefined ? undefined : rowOf({ zone_id, identifier, url }, page, before, at)
    const pages = Object.fromEntries(kind.answers.slice(0, 1).map((each) => [each, page ?? '']))
    const judged = judgeEdgeErrors({ pages }, zone, () => pointer)
    if (judged.faults.length > 0) throw ApiError.of(400, judged.faults)
    if (row !== undefined) await tx.insertInto('error_pages').values(row).execute()
    await checkTotal(tx, zone_id, pointer)
    const object = { object_type: 'error_page', object_id: identifier }
    const action = before === undefined ? 'create' : row === undefined ? 'delete' : 'update'
    if (before !== undefined || row !== undefined)
      record({ action, ...object, before: await audited(before), after: await audited(row) })
    return { row, messages: [...notices, ...judged.notices] }
  })
}

const contentOf = async (
  { url, content }: PageInput,
  outbound: Outbound | undefined,
): Promise<string> => content || fetchPage(url ?? '', outbound)

const rowOf = (
  members: PageRef & { readonly url: string | null },
  content: string,
  before: PageRow | undefined,
  at: number,
): PageRow => ({ ...members, content, created_at: before?.created_at ?? at, updated_at: at })

/** A page is long: the log keeps what tells two of them apart. */
async function audited(row: PageRow | undefined): Promise<object | undefined> {
  if (row === undefined) return undefined
  const { identifier: id, url, content } = row
  return { id, url, size_bytes: byteLength(content), sha256: await digest(content) }
}
