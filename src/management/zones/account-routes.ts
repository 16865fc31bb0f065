import { z } from '@hono/zod-openapi'
import {
  endpoint,
  forbidden,
  listEndpoint,
  mayAt,
  notFound,
  text,
  type Call,
  type Endpoint,
} from '../http/index.js'
import type { Services } from '../store/index.js'
import { Account, accountType, accountWire } from './account-wire.js'
import { givenId } from './ids.js'
import { AccountSearch, listAccounts } from './list-accounts.js'
import { createAccount, deleteAccount, updateAccount } from './save-account.js'

const TAG = 'Accounts'

/** The account that the path names. */
const idOf = ({ place }: Call<unknown, unknown>): string => place.account_id ?? ''

const Update = z.object({ name: text(200, 1).optional(), type: accountType.optional() })

/** Accounts: what zones belong to. */
export function accountRoutes(services: Services): readonly Endpoint[] {
  const { db } = services

  return [
    listEndpoint({
      method: 'get',
      path: '/accounts',
      tag: TAG,
      summary: 'List accounts',
      permission: null,
      query: AccountSearch,
      result: Account,
      async handle({ actor, query }) {
        const listed = await listAccounts(db, actor, query)
        return { ...listed, items: listed.items.map(accountWire) }
      },
    }),
    endpoint({
      method: 'post',
      path: '/accounts',
      tag: TAG,
      summary: 'Create an account',
      permission: null,
      body: z.object({ id: givenId.optional(), name: text(200, 1), type: accountType.optional() }),
      result: Account,
      async handle(call) {
        if (mayAt(call.actor, 'accounts:edit', {}) !== 'allowed') throw forbidden('accounts:edit')
        const { type = 'standard', ...given } = call.body
        return accountWire(await createAccount(services, { ...given, type }, call))
      },
    }),
    endpoint({
      method: 'get',
      path: '/accounts/{account_id}',
      tag: TAG,
      summary: 'Get an account',
      permission: 'accounts:read',
      result: Account,
      async handle(call) {
        const row = await db
          .selectFrom('accounts')
          .selectAll()
          .where('id', '=', idOf(call))
          .executeTakeFirst()
        if (row === undefined) throw notFound('account')
        return accountWire(row)
      },
    }),
    ...(['put', 'patch'] as const).map((method) =>
      endpoint({
        method,
        path: '/accounts/{account_id}',
        tag: TAG,
        summary: 'Change an account',
        permission: 'accounts:edit',
        body: Update.extend({ id: z.string().optional() }),
        result: Account,
        handle: async (call) =>
          accountWire(await updateAccount(services, idOf(call), call.body, call)),
      }),
    ),
    endpoint({
      method: 'delete',
      path: '/accounts/{account_id}',
      tag: TAG,
      summary: 'Delete an account that has no zone',
      permission: 'accounts:edit',
      result: z.object({ id: z.string() }),
      async handle(call) {
        const id = idOf(call)
        await deleteAccount(services, id, call)
        return { id }
      },
    }),
  ]
}
