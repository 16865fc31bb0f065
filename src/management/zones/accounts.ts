import { z } from '@hono/zod-openapi'
import {
  ApiError,
  CODES,
  endpoint,
  forbidden,
  listEndpoint,
  mayAt,
  notFound,
  pageQuery,
  reachOf,
  text,
  type Call,
  type Endpoint,
} from '../http/index.js'
import {
  change,
  listPage,
  moment,
  newVersion,
  rowsAdded,
  rowsRemoved,
  type Row,
  type Services,
} from '../store/index.js'
import { givenId, newHexId } from './ids.js'
import { searchAccounts } from './search-accounts.js'

const TAG = 'Accounts'

const Account = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(['standard', 'enterprise']),
    created_on: z.string(),
    settings: z.object({}),
  })
  .openapi('Account')

const type = z.enum(['standard', 'enterprise'])

const wire = (row: Row<'accounts'>): z.input<typeof Account> => ({
  id: row.id,
  name: row.name,
  type: row.type as 'standard',
  created_on: moment(row.created_at),
  settings: {},
})

/** Accounts: what zones belong to. */
export function accountRoutes(services: Services): readonly Endpoint[] {
  const { db, newId } = services

  async function accountOf({ place }: Call<unknown, unknown>): Promise<Row<'accounts'>> {
    const row = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', place.account_id ?? '')
      .executeTakeFirst()
    if (row === undefined) throw notFound('account')
    return row
  }

  const Update = z.object({ name: text(200, 1).optional(), type: type.optional() })

  async function update(call: Call<unknown, z.output<typeof Update>>): Promise<Row<'accounts'>> {
    const before = await accountOf(call)
    const { name = before.name, type: kind = before.type } = call.body
    const after = { ...before, name, type: kind, updated_at: call.at }
    await change(db, newId, call, async ({ tx, record }) => {
      // Somebody else may have renamed it since; the row's lock comes with its name.
      const locked = await tx
        .updateTable('accounts')
        .set({ updated_at: call.at })
        .where('id', '=', before.id)
        .returning('name')
        .executeTakeFirst()
      if (locked === undefined) throw notFound('account')
      await tx.updateTable('accounts').set(after).where('id', '=', before.id).execute()
      if (after.name !== locked.name) {
        await rowsRemoved(tx, 'accounts', [locked])
        await rowsAdded(tx, 'accounts', [after])
        // Zones are searched for, and listed in the order of, the names of their accounts.
        await newVersion(tx, { table: 'zones' })
      }
      record({ action: 'update', ...named(before), before: wire(before), after: wire(after) })
    })
    return after
  }

  return [
    listEndpoint({
      method: 'get',
      path: '/accounts',
      tag: TAG,
      summary: 'List accounts',
      permission: null,
      query: z.object({
        ...pageQuery,
        name: z.string().optional(),
        direction: z.enum(['asc', 'desc']).default('asc'),
      }),
      result: Account,
      async handle({ actor, query }) {
        const reach = reachOf(actor, 'accounts:read')
        if (reach.all && query.name === undefined) {
          const listed = await listPage(db, { table: 'accounts' }, query)
          return { ...listed, items: listed.items.map(wire) }
        }
        const searched = await searchAccounts(db, reach, query)
        return { ...searched, items: searched.items.map(wire) }
      },
    }),
    endpoint({
      method: 'post',
      path: '/accounts',
      tag: TAG,
      summary: 'Create an account',
      permission: null,
      body: z.object({ id: givenId.optional(), name: text(200, 1), type: type.optional() }),
      result: Account,
      async handle(call) {
        if (mayAt(call.actor, 'accounts:edit', {}) !== 'allowed') throw forbidden('accounts:edit')
        const { id = newHexId(newId), name, type: kind = 'standard' } = call.body
        const row = { id, name, type: kind, created_at: call.at, updated_at: call.at }
        await change(db, newId, call, async ({ tx, record }) => {
          const taken = await tx
            .insertInto('accounts')
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
          if (taken.numInsertedOrUpdatedRows === 0n)
            throw new ApiError(409, CODES.conflict, 'there is an account with this id', '/id')
          await rowsAdded(tx, 'accounts', [row])
          record({ action: 'create', ...named(row), after: wire(row) })
        })
        return wire(row)
      },
    }),
    endpoint({
      method: 'get',
      path: '/accounts/{account_id}',
      tag: TAG,
      summary: 'Get an account',
      permission: 'accounts:read',
      result: Account,
      handle: async (call) => wire(await accountOf(call)),
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
        handle: async (call) => wire(await update(call)),
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
        const row = await accountOf(call)
        await change(db, newId, call, async ({ tx, record }) => {
          // Taking the row's lock first keeps a zone from being added meanwhile.
          await tx
            .updateTable('accounts')
            .set({ updated_at: call.at })
            .where('id', '=', row.id)
            .execute()
          const zone = await tx
            .selectFrom('zones')
            .select('name')
            .where('account_id', '=', row.id)
            .executeTakeFirst()
          if (zone !== undefined)
            throw new ApiError(409, CODES.conflict, `the account still has the zone ${zone.name}`)
          const deleted = await tx
            .deleteFrom('accounts')
            .where('id', '=', row.id)
            .returning('name')
            .execute()
          if (deleted.length === 0) throw notFound('account')
          await rowsRemoved(tx, 'accounts', deleted)
          record({ action: 'delete', ...named(row), before: wire(row) })
        })
        return { id: row.id }
      },
    }),
  ]
}

const named = ({ id }: { readonly id: string }) => ({
  object_type: 'account',
  object_id: id,
  account_id: id,
})
