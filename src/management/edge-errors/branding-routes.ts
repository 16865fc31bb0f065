import { ApiError, endpoint, zoneIdOf, type Call, type Endpoint } from '../http/index.js'
import { changeZone, type Database, type Services } from '../store/index.js'
import { Branding, BrandingInput } from './branding-schema.js'
import { checkBranding } from './check-branding.js'
import { checkTotal } from './check-total.js'
import { judgeEdgeErrors } from './judge-edge-errors.js'

const TAG = 'Edge errors'
const PATH = '/zones/{zone_id}/edge_errors/settings'
const PLAIN: Branding = { name: null, logo: null, accent: null, background: null, footer: null }

/** The look of the default error page: name, logo, colours, footer. */
export function brandingRoutes({ db, newId }: Services): readonly Endpoint[] {
  const save = (
    call: Call<unknown, BrandingInput>,
    edit: (before: Branding) => Branding,
  ): Promise<Branding> => {
    const origin = { ...call, zone_id: zoneIdOf(call), parts: ['edge_errors'] as const }
    return changeZone(db, newId, origin, async ({ tx, zone, at, record }) => {
      const before = await readBranding(tx, zone.id)
      const after = edit(before)
      call.note(...checkBranding(after))
      const branding = chosen(after)
      const { faults, notices } = judgeEdgeErrors({ branding }, zone, inCall)
      if (faults.length > 0) throw ApiError.of(400, faults)
      call.note(...notices)
      await tx.deleteFrom('error_branding').where('zone_id', '=', zone.id).execute()
      if (Object.keys(branding).length > 0)
        await tx
          .insertInto('error_branding')
          .values({ zone_id: zone.id, branding: JSON.stringify(branding), updated_at: at })
          .execute()
      await checkTotal(tx, zone.id, '/logo')
      const object = { object_type: 'error_branding', object_id: zone.id }
      record({ action: 'update', ...object, before, after })
      return after
    })
  }

  return [
    endpoint({
      method: 'get',
      path: PATH,
      tag: TAG,
      summary: 'Get the look of the default error page',
      permission: 'edge_errors:read',
      result: Branding,
      handle: (call) => readBranding(db, zoneIdOf(call)),
    }),
    endpoint({
      method: 'put',
      path: PATH,
      tag: TAG,
      summary: 'Set the look of the default error page as a whole',
      permission: 'edge_errors:edit',
      body: BrandingInput,
      result: Branding,
      handle: (call) => save(call, () => ({ ...PLAIN, ...given(call.body) })),
    }),
    endpoint({
      method: 'patch',
      path: PATH,
      tag: TAG,
      summary: 'Change the look of the default error page; null is the default',
      permission: 'edge_errors:edit',
      body: BrandingInput,
      result: Branding,
      handle: (call) => save(call, (before) => ({ ...before, ...given(call.body) })),
    }),
  ]
}

async function readBranding(db: Database, zoneId: string): Promise<Branding> {
  const row = await db
    .selectFrom('error_branding')
    .select('branding')
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()
  return { ...PLAIN, ...(row && JSON.parse(row.branding)) }
}

/** Calls have the members of the branding and nothing around them. */
const inCall = (pointer: string): string => pointer.replace(/^\/branding/, '')

/** Members that the caller named. */
const given = (input: BrandingInput): Partial<Branding> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** Members that are not the default: all that policies have to tell. */
const chosen = (branding: Branding) =>
  Object.fromEntries(Object.entries(branding).filter(([, value]) => value !== null))
