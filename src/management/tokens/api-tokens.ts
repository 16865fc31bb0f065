import {
  change,
  type Change,
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

/** Changes members of a token. */
export async function updateToken(
  { db, newId }: Services,
  before: TokenRow,
  changes: Partial<TokenRow>,
  origin: Origin,
): Promise<TokenRow> {
  const now = { ...before, ...changes, updated_at: origin.at }
  const after = { ...now, reach: await reachDigest(now.policies) }
  const { id, last_used_at: _untouched, ...members } = after
  await change(db, newId, origin, async ({ tx, record }) => {
    await tx.updateTable('api_tokens').set(members).where('id', '=', id).execute()
    await newVersion(tx, { table: 'api_tokens' })
    const [was, is] = [auditForm(before), auditForm(after)]
    record({ action: 'update', object_type: 'api_token', object_id: id, before: was, after: is })
  })
  return after
}

/** Gives a token a new text; the old one is refused from now on. */
export async function rollToken(
  services: Services,
  row: TokenRow,
  origin: Origin,
): Promise<string> {
  const value = newTokenText(services.random)
  await updateToken(services, row, await fingerprint(value), origin)
  return value
}

/** Deletes a token; it is refused from now on. */
export async function deleteToken(
  { db, newId }: Services,
  row: TokenRow,
  origin: Origin,
): Promise<void> {
  await change(db, newId, origin, async ({ tx, record }) => {
    const deleted = await tx
      .deleteFrom('api_tokens')
      .where('id', '=', row.id)
      .returning('created_at')
      .execute()
    if (deleted.length === 0) throw new MissingRow('the API token is gone')
    await rowsRemoved(tx, 'api_tokens', deleted)
    const before = auditForm(row)
    record({ action: 'delete', object_type: 'api_token', object_id: row.id, before })
  })
}

const auditForm = ({
  hash: _hash,
  lookup: _lookup,
  reach: _reach,
  policies,
  ...row
}: TokenRow): object => ({ ...row, policies: JSON.parse(policies) })
