import { z } from '@hono/zod-openapi'
import { createGate, PolicyError, webCrypto, type Zone } from '../../edge/index.js'
import { checkErrorRules } from '../edge-errors/index.js'
import {
  ApiError,
  CODES as COMMON,
  endpoint,
  message,
  notFound,
  pointerTo,
  shownName,
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
          for (const steps of unknownIn({ ...document, ...after } as Zone)) {
            after.settings = without(after.settings, steps.slice(1)) as Settings['settings']
            const name = JSON.stringify(shownName(steps.at(-1) ?? ''))
            const text = `${name} has no meaning here and is ignored`
            call.note(message(COMMON.unknown_member, text, pointerTo(steps)))
          }
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

/**
 * The places of settings that mean nothing. They are not kept: nobody would look for a secret there.
 * @throws {ApiError} 400 for settings that are none, and for those that a rule stands against
 */
function unknownIn(document: Zone): readonly (readonly string[])[] {
  try {
    const { notices } = createGate(document, { crypto: webCrypto() })
    return notices
      .filter(({ code, pointer }) => code === 'unknown_member' && pointer.startsWith('/settings/'))
      .map(({ pointer }) => stepsOf(pointer))
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause
    const faults = cause.issues.map(({ message: text, frame, pointer }) =>
      message(CODES.invalid_setting, frame ?? text, pointerTo(stepsOf(pointer))),
    )
    throw ApiError.of(400, faults)
  }
}

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** A value without what stands at a place in it. */
function without(value: unknown, [step = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.with(Number(step), without(value[Number(step)], rest))
  const members = Object.entries(value as object)
  return Object.fromEntries(
    rest.length === 0
      ? members.filter(([name]) => name !== step)
      : members.map(([name, part]) => [name, name === step ? without(part, rest) : part]),
  )
}
