import { z } from '@hono/zod-openapi'
import {
  endpoint,
  flagQuery,
  forbidden,
  listEndpoint,
  notFound,
  pageQuery,
  PERMISSIONS,
  text,
  type Actor,
  type Call,
  type Endpoint,
  type Permission,
} from '../http/index.js'
import { moment, type Row, type Services } from '../store/index.js'
import {
  createToken,
  deleteToken,
  findToken,
  rollToken,
  updateToken,
  type TokenInput,
} from './api-tokens.js'
import { statusOf } from './authenticate.js'
import { grantsOf, Policies } from './policies.js'
import { listTokens } from './list-tokens.js'
import { anywhere, within, type AccountOf } from './within.js'

const TAG = 'API tokens'
/** Later times, in microseconds, are more than a number holds exactly. */
const LATEST = Date.parse('2200-01-01T00:00:00Z')
const time = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) < LATEST, 'expected a time before the year 2200')
const status = z.enum(['active', 'disabled', 'expired'])

const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    status,
    policies: z.array(z.unknown()),
    issued_on: z.string(),
    modified_on: z.string(),
    last_used_on: z.string().optional(),
    not_before: z.string().optional(),
    expires_on: z.string().optional(),
  })
  .openapi('ApiToken')

const Input = z.object({
  name: text(120, 1),
  policies: Policies,
  not_before: time.nullish(),
  expires_on: time.nullish(),
})
const Update = Input.extend({ status: z.enum(['active', 'disabled']).optional() })

const micros = (value: string | null | undefined): number | null =>
  typeof value === 'string' ? Date.parse(value) * 1000 : null

const inputOf = (body: z.output<typeof Update>): TokenInput => ({
  name: body.name,
  policies: body.policies,
  not_before: micros(body.not_before),
  expires_at: micros(body.expires_on),
  ...(body.status !== undefined && { status: body.status }),
})

/** API tokens, in the shape of clients: nobody gives a token more than they hold themselves. */
export function tokenRoutes(services: Services, accountOf: AccountOf): readonly Endpoint[] {
  const { db, at } = services

  const wire = (row: Row<'api_tokens'>) => ({
    id: row.id,
    name: row.name,
    status: statusOf(row, at()),
    policies: JSON.parse(row.policies) as unknown[],
    issued_on: moment(row.created_at),
    modified_on: moment(row.updated_at),
    ...(row.last_used_at !== null && { last_used_on: moment(row.last_used_at) }),
    ...(row.not_before !== null && { not_before: moment(row.not_before) }),
    ...(row.expires_at !== null && { expires_on: moment(row.expires_at) }),
  })

  const visible = async (row: Row<'api_tokens'>, actor: Actor, permission: Permission) =>
    within(actor, grantsOf(JSON.parse(row.policies)), permission, accountOf)

  /** A token out of reach is none. */
  async function tokenOf(
    call: Call<unknown, unknown>,
    permission: Permission,
  ): Promise<Row<'api_tokens'>> {
    const row = await findToken(db, call.param('token_id'))
    if (row === undefined || !(await visible(row, call.actor, 'api_tokens:read')))
      throw notFound('API token')
    if (!(await visible(row, call.actor, permission))) throw forbidden(permission)
    return row
  }

  async function mayGrant(actor: Actor, policies: Policies): Promise<void> {
    if (!anywhere(actor, 'api_tokens:edit')) throw forbidden('api_tokens:edit')
    if (!(await within(actor, grantsOf(policies), 'api_tokens:edit', accountOf)))
      throw forbidden(
        'api_tokens:edit, or one that the policies grant, in the whole of their scope',
      )
  }

  return [
    endpoint({
      method: 'get',
      path: '/user/tokens/verify',
      tag: TAG,
      summary: 'Tell whether the token of this call works',
      permission: null,
      result: z.object({ id: z.string(), status }),
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
      query: z.object({
        ...pageQuery,
        direction: z.enum(['asc', 'desc']).default('asc'),
        include_expired: flagQuery.optional(),
      }),
      result: ApiToken,
      async handle({ actor, query }) {
        if (!anywhere(actor, 'api_tokens:read')) throw forbidden('api_tokens:read')
        const listed = await listTokens(services, actor, query)
        return { ...listed, items: listed.items.map(wire) }
      },
    }),
    endpoint({
      method: 'post',
      path: '/user/tokens',
      tag: TAG,
      summary: 'Create an API token; its value is told this once',
      permission: null,
      body: Input,
      result: ApiToken.extend({ value: z.string() }),
      async handle(call) {
        await mayGrant(call.actor, call.body.policies)
        const { row, value } = await createToken(services, inputOf(call.body), call)
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
      body: Update,
      result: ApiToken,
      async handle(call) {
        const row = await tokenOf(call, 'api_tokens:edit')
        await mayGrant(call.actor, call.body.policies)
        const { policies, ...rest } = inputOf(call.body)
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
