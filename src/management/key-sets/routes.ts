import { z } from '@hono/zod-openapi'
import {
  ApiError,
  endpoint,
  notFound,
  text,
  zoneIdOf,
  type Call,
  type Endpoint,
} from '../http/index.js'
import type { Services } from '../store/index.js'
import { CODES } from './codes.js'
import { keySetWire, RemoteKeySet } from './key-set-schema.js'
import type { KeySets } from './key-sets.js'
import { keySetOf, type KeySetRef } from './stored-key-sets.js'

const BASE = '/zones/{zone_id}/token_validation/config/{config_id}/key_set'
/** Keys told of in one call. */
const MAX_UNKNOWN = 10
const MAX_NAME = 256

const Unknown = z.object({
  configuration_id: text(64, 1),
  keys: z.array(z.object({ alg: text(MAX_NAME), kid: text(MAX_NAME) })).max(MAX_UNKNOWN),
  more: z.boolean().optional().openapi({ description: 'There are others, which are not named.' }),
})

const refOf = (call: Call<unknown, unknown>): KeySetRef => ({
  zone_id: zoneIdOf(call),
  configuration_id: call.param('config_id'),
})

/** Remote key sets of token configurations: how it stands with them, and what gates miss in them. */
export function keySetRoutes(
  { db, at }: Pick<Services, 'db' | 'at'>,
  keySets: KeySets,
): readonly Endpoint[] {
  async function wireOf(ref: KeySetRef): Promise<z.input<typeof RemoteKeySet>> {
    const row = await keySetOf(db, ref)
    if (row === undefined) throw notFound('remote key set')
    const fixed = await db
      .selectFrom('token_keys')
      .select(['alg', 'kid'])
      .where('zone_id', '=', ref.zone_id)
      .where('configuration_id', '=', ref.configuration_id)
      .orderBy('position')
      .execute()
    return keySetWire(row, fixed, at())
  }

  return [
    endpoint({
      method: 'get',
      path: BASE,
      tag: 'Token validation',
      summary: 'Get the remote key set of a token configuration, and how it stands with it',
      permission: 'token_validation:read',
      result: RemoteKeySet,
      handle: (call) => wireOf(refOf(call)),
    }),
    endpoint({
      method: 'post',
      path: `${BASE}/refresh`,
      tag: 'Token validation',
      summary: 'Fetch the remote key set now',
      permission: 'token_validation:edit',
      result: RemoteKeySet,
      budgeted: true,
      async handle(call) {
        const ref = refOf(call)
        await wireOf(ref)
        const { later } = await keySets.refresh(ref)
        if (later !== undefined) throw tooOften(later - call.at)
        return wireOf(ref)
      },
    }),
    endpoint({
      method: 'post',
      path: '/zones/{zone_id}/gate/unknown_keys',
      tag: 'Gates',
      summary: 'Tell of keys that tokens name and the policy does not have',
      permission: 'gate',
      body: Unknown,
      result: z.object({ heard: z.number().int() }),
      async handle(call) {
        const { more = false, ...unknown } = call.body
        keySets.unknownKeys(zoneIdOf(call), { ...unknown, more })
        return { heard: unknown.keys.length }
      },
    }),
  ]
}

function tooOften(micros: number): ApiError {
  const seconds = Math.max(1, Math.ceil(micros / 1_000_000))
  const words = `the key set is fetched as often as it may be; again in ${seconds} s`
  return new ApiError(429, CODES.asked_too_often, words, undefined, {
    headers: { 'Retry-After': String(seconds) },
  })
}
