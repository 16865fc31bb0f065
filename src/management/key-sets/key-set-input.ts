import { z } from '@hono/zod-openapi'
import { ApiError } from '../http/index.js'
import { CODES } from './codes.js'

/** Where a key set is: checked by {@link checkUri} as well, which knows what this management allows. */
export const jwksUri = z
  .string()
  .max(2048)
  .openapi({ format: 'uri', example: 'https://issuer.example/.well-known/jwks.json' })

/**
 * What nobody could ever fetch is refused when it is saved. Where a name leads is looked at each time.
 * @throws {ApiError} 400
 */
export function checkUri(uri: string, allowHttp: boolean, pointer: string): void {
  const fault = faultOf(uri, allowHttp)
  if (fault !== undefined) throw new ApiError(400, CODES.invalid_uri, fault, pointer)
}

function faultOf(uri: string, allowHttp: boolean): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url?.protocol !== 'https:' && !(allowHttp && url?.protocol === 'http:'))
    return 'expected an address that begins with https://'
  return url.username + url.password === '' ? undefined : 'expected an address without credentials'
}
