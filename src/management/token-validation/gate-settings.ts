import { z } from '@hono/zod-openapi'
import { createGate, PolicyError, webCrypto, type Zone } from '../../edge/index.js'
import { checkErrorRules } from '../edge-errors/index.js'
import {
  ApiError,
  endpoint,
  message,
  notFound,
  zoneIdOf,
  type Call,
  type Endpoint,
} from '../http/index.js'
import { changeZone, readPolicy, type Services } from '../store/index.js'
import { checkLists } from './check-lists.js'
import { CODES } from './codes.js'
import { zoneDocument } from './policy.js'

const PATH = '/zones/{zone_id}/gate/settings'
const TAG = 'Token validation'

const Settings = z
  .object({
    settings: z.record(z.string(), z.unknown()),
    lists: z.record(z.string(), z.record(z.string(), z.array(z.unknown()))),
  })
  .openapi('GateSettings', {
    description:
      'How the gate answers what rules leave open, and the named lists of expressions. The members are those of a policy.',
  })
type Settings = z.output<typeof Settings>

/** What a gate is told besides rules and keys. A change is compiled with everything it may touch. */
export function gateSettingsRoutes(services: Services): readonly Endpoint[] {
  const { db, newId } = services

  async function read(call: Call<unknown, unknown>): Promise<Settings> {
    const row = await db
      .selectFrom('zones')
      .select(['settings', 'lists'])
      .where('id', '=', zoneIdOf(call))
      .executeTakeFirst()
    if (row === undefined) throw notFound('zone')
    return { settings: JSON.parse(row.settings), lists: JSON.parse(row.lists) }
  }

  return [
    endpoint({
      method: 'get',
      path: PATH,
      tag: TAG,
      summary: 'Get the settings of a gate and its named lists',
      permission: 'token_validation:read',
      result: Settings,
      handle: read,
    }),
    endpoint({
      method: 'patch',
      path: PATH,
      tag: TAG,
      summary: 'Change settings of a gate, or its named lists; null is the default',
      permission: 'token_validation:edit',
      body: Settings.partial(),
      result: Settings,
      async handle(call) {
        const zone_id = zoneIdOf(call)
        checkLists(call.body.lists ?? {})
        const origin = { ...call, zone_id, parts: ['zone'] as const }
        return changeZone(db, newId, origin, async ({ tx, zone, record }) => {
          const before = { settings: JSON.parse(zone.settings), lists: JSON.parse(zone.lists) }
          const after = {
            settings: merged(before.settings, call.body.settings),
            lists: call.body.lists ?? before.lists,
          }
          const stored = await readPolicy(tx, zone_id)
          const document = await zoneDocument({ ...services, db: tx }, stored!.parts)
          compile({ ...document, ...(after as Pick<Zone, 'settings' | 'lists'>) })
          const columns = {
            settings: JSON.stringify(after.settings),
            lists: JSON.stringify(after.lists),
          }
          await checkErrorRules(tx, { ...zone, ...columns })
          await tx.updateTable('zones').set(columns).where('id', '=', zone_id).execute()
          const named = { object_type: 'gate_settings', object_id: zone_id }
          record({ action: 'update', ...named, before, after })
          return after
        })
      },
    }),
  ]
}

const merged = (before: object, changes: object = {}): Settings['settings'] =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null),
  )

/** @throws {ApiError} 400 for settings that are none, and for those that a rule stands against */
function compile(document: Zone): void {
  try {
    createGate(document, { crypto: webCrypto() })
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause
    const faults = cause.issues.map(({ message: text, frame, pointer }) =>
      message(CODES.invalid_setting, frame ?? text, pointer),
    )
    throw ApiError.of(400, faults)
  }
}
