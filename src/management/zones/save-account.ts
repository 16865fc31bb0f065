import { ApiError, CODES, notFound } from '../http/index.js'
import {
  change,
  newVersion,
  rowsAdded,
  rowsRemoved,
  type Origin,
  type Row,
  type Services,
} from '../store/index.js'
import { accountWire } from './account-wire.js'
import { newHexId } from './ids.js'

type Account = Row<'accounts'>

/** An account as somebody asks for it; without an id it gets one. */
interface NewAccount extends Pick<Account, 'name' | 'type'> {
  readonly id?: string | undefined
}

/** What is left out stays as it is. */
interface AccountChanges {
  readonly name?: string | undefined
  readonly type?: Account['type'] | undefined
}

/**
 * Adds an account.
 * @throws {ApiError} 409 when its id is taken
 */
export async function createAccount(
  { db, newId }: Services,
  { id = newHexId(newId), name, type }: NewAccount,
  origin: Origin,
): Promise<Account> {
  const row = { id, name, type, created_at: origin.at, updated_at: origin.at }
  await change(db, newId, origin, async ({ tx, record }) => {
    const taken = await tx
      .insertInto('accounts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (taken.numInsertedOrUpdatedRows === 0n)
      throw new ApiError(409, CODES.conflict, 'there is an account with this id', '/id')
    await rowsAdded(tx, 'accounts', [row])
    record({ action: 'create', ...named(row), after: accountWire(row) })
  })
  return row
}

/**
 * Changes an account.
 * @throws {ApiError} 404 when it is gone
 */
export async function updateAccount(
  { db, newId }: Services,
  before: Account,
  { name = before.name, type = before.type }: AccountChanges,
  origin: Origin,
): Promise<Account> {
  const after = { ...before, name, type, updated_at: origin.at }
  await change(db, newId, origin, async ({ tx, record }) => {
    // Somebody else may have renamed it since; the row's lock comes with its name.
    const locked = await tx
      .updateTable('accounts')
      .set({ updated_at: origin.at })
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
    record({
      action: 'update',
      ...named(before),
      before: accountWire(before),
      after: accountWire(after),
    })
  })
  return after
}

/**
 * Deletes an account that has no zone.
 * @throws {ApiError} 409 when it has one, 404 when it is gone
 */
export async function deleteAccount(
  { db, newId }: Services,
  row: Account,
  origin: Origin,
): Promise<void> {
  await change(db, newId, origin, async ({ tx, record }) => {
    // Taking the row's lock first keeps a zone from being added meanwhile.
    await tx
      .updateTable('accounts')
      .set({ updated_at: origin.at })
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
    record({ action: 'delete', ...named(row), before: accountWire(row) })
  })
}

const named = ({ id }: { readonly id: string }) => ({
  object_type: 'account',
  object_id: id,
  account_id: id,
})
