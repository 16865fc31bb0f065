import { ApiError } from './api-error.js'
import { actorOf, type Authenticate } from './authenticate.js'
import { CODES } from './codes.js'
import { failure } from './envelope.js'
import { mayAt, type Permission } from './permissions.js'

/**
 * The answer to a request whose token does not hold a permission everywhere: 401 or 403 in the envelope.
 * `undefined` when it does.
 */
export async function refusalOf(
  request: Request,
  permission: Permission,
  authenticate: Authenticate,
): Promise<Response | undefined> {
  try {
    const actor = await actorOf(request, authenticate)
    if (mayAt(actor, permission, {}) === 'allowed') return undefined
    throw new ApiError(403, CODES.forbidden, `the API token lacks ${permission} everywhere`)
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    const { status, headers, errors } = cause
    return Response.json(failure(errors), { status, headers })
  }
}
