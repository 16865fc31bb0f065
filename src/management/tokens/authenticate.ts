import type { Authenticate } from '../http/index.js'
import type { Row, Services } from '../store/index.js'
import { grantsOf } from './policies.js'
import { fingerprint, sameHash } from './token-text.js'

/** How exact the time of a token's last use is. */
const LAST_USE_EVERY = 60_000_000

/**
 * Finds whose token it is. Nothing is remembered but what was noted: a revoked token is refused at once.
 *
 * @param onFault hears why a last use could not be noted
 */
export function createAuthenticate(
  { db, at }: Pick<Services, 'db' | 'at'>,
  onFault: (cause: unknown) => void,
): Authenticate {
  const noted = new Map<string, number>()

  /** Whoever uses the token neither waits for it nor fails with it: the disk may be full. */
  function note(id: string, now: number): void {
    noted.set(id, now)
    const update = db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id)
    update.execute().catch(onFault)
  }

  return async (token) => {
    const { hash, lookup } = await fingerprint(token)
    const rows = await db
      .selectFrom('api_tokens')
      .selectAll()
      .where('lookup', '=', lookup)
      .execute()
    const row = rows.find((candidate) => sameHash(candidate.hash, hash))
    const now = at()
    if (row === undefined || statusOf(row, now) !== 'active' || now < (row.not_before ?? 0))
      return undefined
    if (now - Math.max(row.last_used_at ?? 0, noted.get(row.id) ?? 0) >= LAST_USE_EVERY)
      note(row.id, now)
    return { id: row.id, name: row.name, grants: grantsOf(JSON.parse(row.policies)) }
  }
}

/** `expired` once its time has come, else as its owner left it. */
export function statusOf(row: Row<'api_tokens'>, now: number): 'active' | 'disabled' | 'expired' {
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.status === 'disabled' ? 'disabled' : 'active'
}
