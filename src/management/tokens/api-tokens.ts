import {
  change,
  type Change,
  lockRow,
  MissingRow,
  newVersion,
  reachDigest,
  rowsAdded,
  rowsRemoved,
  type Database,
  type Origin,
  type Row,
  type Services,
} from '../store/index.js'
import type { Policies } from './policies.js'
import { fingerprint, newTokenText } from './token-text.js'

/** What its owner says about a token. Times are epoch µs. */
export interface TokenInput {
  readonly name: string
  readonly policies: Policies
  readonly status?: 'active' | 'disabled'
  readonly not_before: number | null
  readonly expires_at: number | null
}

type TokenRow = Row<'api_tokens'>

/** Makes a token. Its text is in the answer and nowhere else. */
export async function createToken(
  services: Services,
  input: TokenInput,
  origin: Origin,
): Promise<{ readonly row: TokenRow; readonly value: string }> {
  const value = newTokenText(services.random)
  const row = await change(services.db, services.newId, origin, (under) =>
    addToken(under, services.newId, input, value),
  )
  return { row, value }
}

/** Adds a token with this text, as a part of a change. */
export async function addToken(
  { tx, record, at, actor }: Change,
  newId: () => string,
  input: TokenInput,
  value: string,
): Promise<TokenRow> {
  const id = newId().replaceAll('-', '')
  const policies = input.policies.map((policy) => ({
    ...policy,
    id: newId().replaceAll('-', ''),
  }))
  const row: TokenRow = {
    id,
    name: input.name,
    ...(await fingerprint(value)),
    policies: JSON.stringify(policies),
    reach: await reachDigest(JSON.stringify(policies)),
    status: input.status ?? 'active',
    not_before: input.not_before,
    expires_at: input.expires_at,
    last_used_at: null,
    created_at: at,
    updated_at: at,
    created_by: actor.id,
  }
  await tx.insertInto('api_tokens').values(row).execute()
  await rowsAdded(tx, 'api_tokens', [row])
  record({ action: 'create', object_type: 'api_token', object_id: id, after: auditForm(row) })
  return row
}

export const findToken = (db: Database, id: string): Promise<TokenRow | undefined> =>
  db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Changes members of a token, and no others. `undefined` when its policies are no longer those that
 * were looked at: who was allowed to change it then may not be now.
 *
 * @throws {MissingRow} when it is gone
 */
export async function updateToken(
  { db, newId }: Pick<Services, 'db' | 'newId'>,
  { id, policies }: TokenRow,
  changes: Partial<TokenRow>,
  origin: Origin,
): Promise<TokenRow | undefined> {
  return change(db, newId, origin, async ({ tx, record }) => {
    const before = await lockRow(tx, 'api_tokens', id)
    if (before === undefined) throw new MissingRow('the API token is gone')
    if (before.policies !== policies) return undefined
    const now = { ...before, ...changes, updated_at: origin.at }
    const after = { ...now, reach: await reachDigest(now.policies) }
    const token = tx.updateTable('api_tokens').where('id', '=', id)
    await token.set({ ...changes, updated_at: origin.at }).execute()
    // A change of the policies has emptied it.
    await token.set({ reach: after.reach }).execute()
    await newVersion(tx, { table: 'api_tokens' })
    const [was, is] = [auditForm(before), auditForm(after)]
    record({ action: 'update', object_type: 'api_token', object_id: id, before: was, after: is })
    return after
  })
}

/** Deletes a token; it is refused from now on. */
export async function deleteToken(
  { db, newId }: Services,
  id: string,
  origin: Origin,
): Promise<void> {
  await change(db, newId, origin, async ({ tx, record }) => {
    const row = await tx
      .deleteFrom('api_tokens')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw new MissingRow('the API token is gone')
    await rowsRemoved(tx, 'api_tokens', [row])
    record({ action: 'delete', object_type: 'api_token', object_id: id, before: auditForm(row) })
  })
}

const auditForm = ({
  hash: _hash,
  lookup: _lookup,
  reach: _reach,
  policies,
  ...row
}: TokenRow): object => ({ ...row, policies: JSON.parse(policies) })
