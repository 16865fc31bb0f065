import { z } from '@hono/zod-openapi'
import {
  endpoint,
  forbidden,
  listEndpoint,
  notFound,
  PERMISSIONS,
  type Call,
  type Endpoint,
  type Permission,
} from '../http/index.js'
import type { Row, Services } from '../store/index.js'
import { createToken, deleteToken, findToken, updateToken } from './api-tokens.js'
import { listTokens, TokenSearch } from './list-tokens.js'
import { createTokenReach } from './token-reach.js'
import {
  ApiToken,
  TokenBody,
  tokenInput,
  tokenStatus,
  TokenUpdate,
  tokenWire,
} from './token-schema.js'
import { fingerprint, newTokenText } from './token-text.js'
import type { AccountOf } from './within.js'

const TAG = 'API tokens'

/** API tokens, in the shape of clients: nobody gives a token more than they hold themselves. */
export function tokenRoutes(services: Services, accountOf: AccountOf): readonly Endpoint[] {
  const { db, at } = services
  const reach = createTokenReach(accountOf)

  const wire = (row: Row<'api_tokens'>) => tokenWire(row, at())

  /** A token out of reach is none. */
  async function tokenOf(
    call: Call<unknown, unknown>,
    permission: Permission,
  ): Promise<Row<'api_tokens'>> {
    const row = await findToken(db, call.param('token_id'))
    if (row === undefined || !(await reach.covers(call.actor, row, 'api_tokens:read')))
      throw notFound('API token')
    if (!(await reach.covers(call.actor, row, permission))) throw forbidden(permission)
    return row
  }

  /** Changes a token that is within the caller's reach as it is when it changes. */
  async function changed(
    call: Call<unknown, unknown>,
    row: Row<'api_tokens'>,
    changes: Partial<Row<'api_tokens'>>,
  ): Promise<Row<'api_tokens'>> {
    for (let known = row; ; known = await tokenOf(call, 'api_tokens:edit')) {
      const after = await updateToken(services, known, changes, call)
      if (after !== undefined) return after
    }
  }

  return [
    endpoint({
      method: 'get',
      path: '/user/tokens/verify',
      tag: TAG,
      summary: 'Tell whether the token of this call works',
      permission: null,
      result: z.object({ id: z.string(), status: tokenStatus }),
      handle: async ({ actor }) => ({ id: actor.id, status: 'active' as const }),
    }),
    endpoint({
      method: 'get',
      path: '/user/tokens/permission_groups',
      tag: TAG,
      summary: 'List the permissions there are',
      permission: null,
      result: z.array(z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()) })),
      handle: async () =>
        PERMISSIONS.map((id) => ({
          id,
          name: id,
          scopes: ['com.cloudflare.api.account', 'com.cloudflare.api.account.zone'],
        })),
    }),
    listEndpoint({
      method: 'get',
      path: '/user/tokens',
      tag: TAG,
      summary: 'List API tokens',
      permission: null,
      query: TokenSearch,
      result: ApiToken,
      handle: ({ actor, query }) => listTokens(services, actor, query),
    }),
    endpoint({
      method: 'post',
      path: '/user/tokens',
      tag: TAG,
      summary: 'Create an API token; its value is told this once',
      permission: null,
      body: TokenBody,
      result: ApiToken.extend({ value: z.string() }),
      async handle(call) {
        await reach.mayGrant(call.actor, call.body.policies)
        const { row, value } = await createToken(services, tokenInput(call.body), call)
        return { ...wire(row), value }
      },
    }),
    endpoint({
      method: 'get',
      path: '/user/tokens/{token_id}',
      tag: TAG,
      summary: 'Get an API token',
      permission: null,
      result: ApiToken,
      handle: async (call) => wire(await tokenOf(call, 'api_tokens:read')),
    }),
    endpoint({
      method: 'put',
      path: '/user/tokens/{token_id}',
      tag: TAG,
      summary: 'Change an API token',
      permission: null,
      body: TokenUpdate,
      result: ApiToken,
      async handle(call) {
        const row = await tokenOf(call, 'api_tokens:edit')
        await reach.mayGrant(call.actor, call.body.policies)
        const { policies, ...rest } = tokenInput(call.body)
        const changes = { ...rest, policies: JSON.stringify(policies) }
        return wire(await changed(call, row, changes))
      },
    }),
    endpoint({
      method: 'put',
      path: '/user/tokens/{token_id}/value',
      tag: TAG,
      summary: 'Give an API token a new value, told this once',
      permission: null,
      result: z.string(),
      async handle(call) {
        const value = newTokenText(services.random)
        await changed(call, await tokenOf(call, 'api_tokens:edit'), await fingerprint(value))
        return value
      },
    }),
    endpoint({
      method: 'delete',
      path: '/user/tokens/{token_id}',
      tag: TAG,
      summary: 'Delete an API token',
      permission: null,
      result: z.object({ id: z.string() }),
      async handle(call) {
        const row = await tokenOf(call, 'api_tokens:edit')
        await deleteToken(services, row.id, call)
        return { id: row.id }
      },
    }),
  ]
}
