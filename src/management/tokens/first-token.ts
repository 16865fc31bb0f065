import type { Services } from '../store/index.js'
import { createToken } from './api-tokens.js'
import { fingerprint } from './token-text.js'

/**
 * Makes sure that there is a token to begin with, which may do everything. A `given` text is made
 * one; without it a token is made if there is none, and its text returned this once.
 */
export async function ensureFirstToken(
  services: Services,
  given?: string,
): Promise<string | undefined> {
  const tokens = services.db.selectFrom('api_tokens').select('id')
  const known =
    given === undefined
      ? await tokens.limit(1).executeTakeFirst()
      : await tokens.where('hash', '=', (await fingerprint(given)).hash).executeTakeFirst()
  if (known !== undefined) return undefined
  const { value } = await createToken(
    services,
    {
      name: 'First administrator',
      policies: [
        { effect: 'allow', permission_groups: [{ id: 'operator' }], resources: { '*': '*' } },
      ],
      not_before: null,
      expires_at: null,
    },
    { actor: { id: 'system', name: 'system' }, request_id: 'start', at: services.at() },
    given,
  )
  return given === undefined ? value : undefined
}
