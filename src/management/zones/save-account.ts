import { ApiError, CODES, notFound } from '../http/index.js'
import {
  change,
  lockRow,
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
  id: string,
  { name, type }: AccountChanges,
  origin: Origin,
): Promise<Account> {
  return change(db, newId, origin, async ({ tx, record }) => {
    const before = await lockRow(tx, 'accounts', id)
    if (before === undefined) throw notFound('account')
    const after = {
      ...before,
      name: name ?? before.name,
      type: type ?? before.type,
      updated_at: origin.at,
    }
    await tx.updateTable('accounts').set(after).where('id', '=', id).execute()
    if (after.name !== before.name) {
      await rowsRemoved(tx, 'accounts', [before])
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
    return after
  })
}

/**
 * Deletes an account that has no zone.
 * @throws {ApiError} 409 when it has one, 404 when it is gone
 */
export async function deleteAccount(
  { db, newId }: Services,
  id: string,
  origin: Origin,
): Promise<void> {
  await change(db, newId, origin, async ({ tx, record }) => {
    const before = await lockRow(tx, 'accounts', id)
    if (before === undefined) throw notFound('account')
    const zone = await tx
      .selectFrom('zones')
      .select('name')
      .where('account_id', '=', id)
      .executeTakeFirst()
    if (zone !== undefined)
      throw new ApiError(409, CODES.conflict, `the account still has the zone ${zone.name}`)
    await tx.deleteFrom('accounts').where('id', '=', id).execute()
    await rowsRemoved(tx, 'accounts', [before])
    record({ action: 'delete', ...named(before), before: accountWire(before) })
  })
}

const named = ({ id }: { readonly id: string }) => ({
  object_type: 'account',
  object_id: id,
  account_id: id,
})
