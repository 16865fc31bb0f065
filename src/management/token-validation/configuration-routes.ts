import { z } from '@hono/zod-openapi'
import {
  endpoint,
  flatEndpoint,
  listEndpoint,
  pageQuery,
  zoneIdOf,
  type Call,
  type Endpoint,
} from '../http/index.js'
import type { Services } from '../store/index.js'
import {
  CreateConfig,
  Credentials,
  Key,
  TokenConfig,
  UpdateConfig,
} from './configuration-schema.js'
import {
  createConfiguration,
  deleteConfiguration,
  getConfiguration,
  listConfigurations,
  updateConfiguration,
  type ConfigurationRef,
} from './configurations.js'
import { completed, readKeys } from './key-input.js'
import { replaceKeys, storedKeys } from './stored-keys.js'
import { checkSources } from './token-sources.js'

const TAG = 'Token validation'
const BASE = '/zones/{zone_id}/token_validation/config'

const refOf = (call: Call<unknown, unknown>): ConfigurationRef => ({
  zone_id: zoneIdOf(call),
  id: call.param('config_id'),
})

/** Token configurations: where tokens are, and the keys that verify them (spec 4.1). */
export function configurationRoutes(services: Services): readonly Endpoint[] {
  const { db, sealer } = services

  /** Replaces the key set; `complete` fills in what the request may leave out. */
  const credentials = (method: 'put' | 'patch', summary: string, keepsSecrets: boolean): Endpoint =>
    flatEndpoint({
      method,
      path: `${BASE}/{config_id}/credentials`,
      tag: TAG,
      summary,
      permission: 'token_validation:edit',
      body: Credentials,
      result: z.object({ keys: z.array(Key) }),
      async handle(call) {
        const ref = refOf(call)
        const config = await updateConfiguration(services, ref, call, async (change) => {
          const { zone_id, id } = ref
          const stored = keepsSecrets
            ? await storedKeys(change.tx, sealer, zone_id, id)
            : new Map<string, never>()
          const { keys, messages } = readKeys(completed(call.body.keys, stored), '')
          call.note(...messages)
          await replaceKeys(change, services, zone_id, id, keys)
          return {}
        })
        return config.credentials
      },
    })

  return [
    listEndpoint({
      method: 'get',
      path: BASE,
      tag: TAG,
      summary: 'List token configurations',
      permission: 'token_validation:read',
      query: z.object(pageQuery),
      result: TokenConfig,
      handle: (call) => listConfigurations(db, zoneIdOf(call), call.query),
    }),
    endpoint({
      method: 'post',
      path: BASE,
      tag: TAG,
      summary: 'Create a token configuration',
      permission: 'token_validation:edit',
      body: CreateConfig,
      result: TokenConfig,
      async handle(call) {
        const { credentials: given, ...members } = call.body
        const { keys, messages } = readKeys(given.keys, '/credentials')
        call.note(...checkSources(members.token_sources), ...messages)
        return createConfiguration(services, zoneIdOf(call), members, keys, call)
      },
    }),
    endpoint({
      method: 'get',
      path: `${BASE}/{config_id}`,
      tag: TAG,
      summary: 'Get a token configuration',
      permission: 'token_validation:read',
      result: TokenConfig,
      handle: (call) => getConfiguration(db, refOf(call)),
    }),
    endpoint({
      method: 'patch',
      path: `${BASE}/{config_id}`,
      tag: TAG,
      summary: 'Change a token configuration, all but its keys',
      permission: 'token_validation:edit',
      body: UpdateConfig,
      result: TokenConfig.pick({ id: true, description: true, title: true, token_sources: true }),
      async handle(call) {
        const { token_sources: sources } = call.body
        if (sources !== undefined) call.note(...checkSources(sources))
        const changes = Object.entries(call.body).filter(([, value]) => value !== undefined)
        const config = await updateConfiguration(services, refOf(call), call, async () =>
          Object.fromEntries(changes),
        )
        const { id, description, title, token_sources } = config
        return { id, description, title, token_sources }
      },
    }),
    endpoint({
      method: 'delete',
      path: `${BASE}/{config_id}`,
      tag: TAG,
      summary: 'Delete a token configuration that no rule names',
      permission: 'token_validation:edit',
      result: z.object({ id: z.string() }),
      async handle(call) {
        const ref = refOf(call)
        await deleteConfiguration(services, ref, call)
        return { id: ref.id }
      },
    }),
    credentials('put', 'Replace the keys of a token configuration', false),
    credentials('patch', 'Replace the keys, keeping members that are left out', true),
  ]
}
