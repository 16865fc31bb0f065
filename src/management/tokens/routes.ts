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
import { createToken, deleteToken, findToken, rollToken, updateToken } from './api-tokens.js'
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
        return wire(await updateToken(services, row, changes, call))
      },
    }),
    endpoint({
      method: 'put',
      path: '/user/tokens/{token_id}/value',
      tag: TAG,
      summary: 'Give an API token a new value, told this once',
      permission: null,
      result: z.string(),
      handle: async (call) => rollToken(services, await tokenOf(call, 'api_tokens:edit'), call),
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
        await deleteToken(services, row, call)
        return { id: row.id }
      },
    }),
  ]
}
