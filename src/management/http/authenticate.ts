import { ApiError } from './api-error.js'
import { CODES } from './codes.js'
import type { Actor } from './permissions.js'

/** Whose token it is; `undefined` when it is nobody's, expired or switched off. */
export type Authenticate = (token: string) => Promise<Actor | undefined>

const BEARER = /^bearer +([\x21-\x7e]+) *$/i

/**
 * The actor of a request (spec 5). Other credentials beside the bearer token are not looked at.
 * @throws {ApiError} 401
 */
export async function actorOf(request: Request, authenticate: Authenticate): Promise<Actor> {
  const [, token] = BEARER.exec(request.headers.get('authorization') ?? '') ?? []
  if (token === undefined) throw refusal('expected a header "Authorization: Bearer <API token>"')
  const actor = await authenticate(token)
  if (actor === undefined) throw refusal('the API token is not valid', 'error="invalid_token"')
  return actor
}

const refusal = (text: string, detail?: string): ApiError =>
  new ApiError(401, CODES.authentication, text, undefined, {
    headers: {
      'WWW-Authenticate': `Bearer realm="portcullis"${detail === undefined ? '' : `, ${detail}`}`,
    },
  })
