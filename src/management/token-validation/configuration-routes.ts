import { z } from '@hono/zod-openapi'
import {
  endpoint,
  flatEndpoint,
  listEndpoint,
  message,
  pageQuery,
  zoneIdOf,
  type Call,
  type Endpoint,
} from '../http/index.js'
import { checkUri, KEY_SET_MESSAGES, writeKeySetUri, type KeySets } from '../key-sets/index.js'
import type { Services } from '../store/index.js'
import {
  getConfiguration,
  listConfigurations,
  type ConfigurationRef,
} from './configuration-rows.js'
import {
  CreateConfig,
  Credentials,
  CredentialsWire,
  TokenConfig,
  UpdateConfig,
  UpdateCredentials,
} from './configuration-schema.js'
import { deleteConfiguration } from './delete-configuration.js'
import { completed, readKeys } from './key-input.js'
import { createConfiguration, updateConfiguration } from './save-configuration.js'
import { replaceKeys, storedKeys } from './stored-keys.js'
import { checkSources } from './token-sources.js'

const TAG = 'Token validation'
const BASE = '/zones/{zone_id}/token_validation/config'

const refOf = (call: Call<unknown, unknown>): ConfigurationRef => ({
  zone_id: zoneIdOf(call),
  id: call.param('config_id'),
})

/** A first fetch that takes longer goes on after the answer. */
const PATIENCE_MS = 2000

/** What keys of issuers are fetched by. */
export interface RemoteKeys {
  readonly keySets: Pick<KeySets, 'fetchDue'>
  /** Whether a key set may be where nobody can tell who answers. */
  readonly allowHttp: boolean
}

/** Token configurations: where tokens are, and the keys that verify them (spec 4.1). */
export function configurationRoutes(
  services: Services,
  { keySets, allowHttp }: RemoteKeys,
): readonly Endpoint[] {
  const { db, sealer, at } = services

  /** A configuration as answers show it; a key set that is due is fetched before, if that is quick. */
  async function answerOf(
    ref: ConfigurationRef,
    call: Pick<Call<unknown, unknown>, 'note'>,
    pointer: string,
  ): Promise<TokenConfig> {
    const set = { zone_id: ref.zone_id, configuration_id: ref.id }
    const saved = await getConfiguration(db, ref, at())
    if (saved.credentials.jwks_uri === undefined) return saved
    await keySets.fetchDue(set, PATIENCE_MS)
    const config = await getConfiguration(db, ref, at())
    const { keys, key_set } = config.credentials
    if (key_set?.keys === 0) {
      const what = keys.length === 0 ? 'no keys yet, so every token is refused' : 'no more keys yet'
      const why = key_set.last_error?.message ?? 'the issuer has not answered so far'
      call.note(message(KEY_SET_MESSAGES.no_keys_yet, `there are ${what}: ${why}`, pointer))
    }
    return config
  }

  const addressIn = (given: string | null | undefined, pointer: string): string | null => {
    if (typeof given === 'string') checkUri(given, allowHttp, pointer)
    return given ?? null
  }

  /** Replaces the keys; `keepsRest` fills in what the request leaves out with what is stored. */
  const credentials = (method: 'put' | 'patch', summary: string, keepsRest: boolean): Endpoint =>
    flatEndpoint({
      method,
      path: `${BASE}/{config_id}/credentials`,
      tag: TAG,
      summary,
      permission: 'token_validation:edit',
      body: keepsRest ? UpdateCredentials : Credentials,
      result: CredentialsWire,
      async handle(call) {
        const ref = refOf(call)
        const { zone_id, id } = ref
        const given = addressIn(call.body.jwks_uri, '/jwks_uri')
        await updateConfiguration(services, ref, call, async (change, { credentials: before }) => {
          const uri =
            keepsRest && call.body.jwks_uri === undefined ? (before.jwks_uri ?? null) : given
          await writeKeySetUri(change, { zone_id, configuration_id: id }, uri)
          const stored = keepsRest
            ? await storedKeys(change.tx, sealer, zone_id, id)
            : new Map<string, never>()
          const wanted = call.body.keys ?? (keepsRest ? before.keys : [])
          const { keys, messages } = readKeys(completed(wanted, stored), '', uri !== null)
          call.note(...messages)
          await replaceKeys(change, services, zone_id, id, keys)
          return {}
        })
        return (await answerOf(ref, call, '/jwks_uri')).credentials
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
      handle: (call) => listConfigurations(db, zoneIdOf(call), call.query, at()),
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
        const jwks_uri = addressIn(given.jwks_uri, '/credentials/jwks_uri')
        const { keys, messages } = readKeys(given.keys ?? [], '/credentials', jwks_uri !== null)
        call.note(...checkSources(members.token_sources), ...messages)
        const zone_id = zoneIdOf(call)
        const { id } = await createConfiguration(
          services,
          zone_id,
          members,
          { keys, jwks_uri },
          call,
        )
        return answerOf({ zone_id, id }, call, '/credentials/jwks_uri')
      },
    }),
    endpoint({
      method: 'get',
      path: `${BASE}/{config_id}`,
      tag: TAG,
      summary: 'Get a token configuration',
      permission: 'token_validation:read',
      result: TokenConfig,
      handle: (call) => getConfiguration(db, refOf(call), at()),
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
