import { change, oneAtATime, type Origin, type Services } from '../store/index.js'
import { addToken, type TokenInput } from './api-tokens.js'
import { fingerprint, newTokenText } from './token-text.js'

const FIRST: TokenInput = {
  name: 'First administrator',
  policies: [{ effect: 'allow', permission_groups: [{ id: 'operator' }], resources: { '*': '*' } }],
  not_before: null,
  expires_at: null,
}

/**
 * Makes sure that there is a token to begin with, which may do everything. A `given` text is made
 * one; without it a token is made if there is none, and its text returned this once. Of several
 * processes that begin together one makes it.
 */
export async function ensureFirstToken(
  { db, newId, random, at }: Services,
  given?: string,
): Promise<string | undefined> {
  const hash = given === undefined ? undefined : (await fingerprint(given)).hash
  const origin: Origin = {
    actor: { id: 'system', name: 'system' },
    request_id: 'start',
    at: at(),
  }
  return change(db, newId, origin, async (under) => {
    await oneAtATime(under.tx)
    const tokens = under.tx.selectFrom('api_tokens').select('id')
    const known = await tokens
      .$if(hash !== undefined, (all) => all.where('hash', '=', hash!))
      .limit(1)
      .executeTakeFirst()
    if (known !== undefined) return undefined
    const value = given ?? newTokenText(random)
    await addToken(under, newId, FIRST, value)
    return given === undefined ? value : undefined
  })
}
