import { z } from '@hono/zod-openapi'
import {
  ApiError,
  CODES,
  endpoint,
  notFound,
  zoneIdOf,
  type Endpoint,
  type Outbound,
} from '../http/index.js'
import { moment, type Row, type Services } from '../store/index.js'
import { byWidth, GROUP_IDENTIFIERS, pageKind, type PageKind } from './page-identifiers.js'
import { Page, PageInput } from './page-schema.js'
import { findPage, savePage } from './save-page.js'

const TAG = 'Edge errors'
const PAGES = '/zones/{zone_id}/custom_pages'
const PAGE = `${PAGES}/{identifier}`

type PageRow = Row<'error_pages'>
interface Shown {
  readonly identifier: string
  readonly kind: PageKind
}

/** @throws {ApiError} 404 */
function shownAs(identifier: string): Shown {
  const kind = pageKind(identifier)
  if (kind !== undefined) return { identifier, kind }
  const known = `${GROUP_IDENTIFIERS.join(', ')} and the code of an edge error`
  throw new ApiError(404, CODES.not_found, `there is no such error page; there are ${known}`)
}

/** `since`: from when on a page that nobody wrote has been the default. */
const wire = (
  { identifier, kind }: Shown,
  row: PageRow | undefined,
  since: number,
): z.input<typeof Page> => ({
  id: identifier,
  description: kind.description,
  required_tokens: [...kind.required],
  preview_target: `error:${kind.answers[0]}`,
  created_on: moment(row?.created_at ?? since),
  modified_on: moment(row?.updated_at ?? since),
  url: row?.url ?? null,
  state: row === undefined ? 'default' : 'customized',
})

/** Error pages by the errors that they are for: HTML for every client, whatever it accepts. */
export function pageRoutes(
  services: Services,
  outbound: Outbound | undefined,
): readonly Endpoint[] {
  const { db } = services

  const sinceOf = async (zoneId: string): Promise<number> =>
    (
      await db
        .selectFrom('zones')
        .select('created_at')
        .where('id', '=', zoneId)
        .executeTakeFirstOrThrow(() => notFound('zone'))
    ).created_at

  return [
    endpoint({
      method: 'get',
      path: PAGES,
      tag: TAG,
      summary: 'List the error pages',
      permission: 'edge_errors:read',
      result: z.array(Page),
      async handle(call) {
        const zone_id = zoneIdOf(call)
        const rows = await db
          .selectFrom('error_pages')
          .selectAll()
          .where('zone_id', '=', zone_id)
          .orderBy('identifier')
          .execute()
        const known = new Map(rows.map((row) => [row.identifier, row]))
        const since = await sinceOf(zone_id)
        return [...new Set([...GROUP_IDENTIFIERS, ...known.keys()])]
          .toSorted(byWidth)
          .map((identifier) => wire(shownAs(identifier), known.get(identifier), since))
      },
    }),
    endpoint({
      method: 'get',
      path: PAGE,
      tag: TAG,
      summary: 'Get an error page',
      permission: 'edge_errors:read',
      result: Page,
      async handle(call) {
        const shown = shownAs(call.param('identifier'))
        const zone_id = zoneIdOf(call)
        const row = await findPage(db, { zone_id, identifier: shown.identifier })
        return { ...wire(shown, row, await sinceOf(zone_id)), content: row?.content ?? null }
      },
    }),
    endpoint({
      method: 'put',
      path: PAGE,
      tag: TAG,
      summary: 'Set an error page, or its default',
      permission: 'edge_errors:edit',
      body: PageInput,
      result: Page,
      async handle(call) {
        const shown = shownAs(call.param('identifier'))
        const zone_id = zoneIdOf(call)
        const from = { origin: call, outbound }
        const { row, messages } = await savePage(services, { zone_id, ...shown }, call.body, from)
        call.note(...messages)
        return { ...wire(shown, row, await sinceOf(zone_id)), content: row?.content ?? null }
      },
    }),
  ]
}
