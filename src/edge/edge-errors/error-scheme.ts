import { requestScheme, type Scheme } from '../expression/index.js'

const CLAIMS = 'http.request.jwt.'

/**
 * The fields that custom error rules may read: those of the request, and of the error
 *
 * - `http.response.code` (Int): the status the client would get,
 * - `cf.response.1xxx_code` (Int): the code when it is one of 1xxx, else 0,
 * - `cf.response.error_type` (Bytes): `waf` (1020), `ip_ban` (1006, 1007, 1008, 1106), `ratelimit`
 *   (1015), `1xxx` for other codes of four digits, `5xx` for the rest.
 *
 * Claims are none of them, and no token configuration is known: an error may come before any token
 * was looked at.
 */
export const errorScheme: Scheme = {
  fields: {
    ...Object.fromEntries(
      Object.entries(requestScheme.fields).filter(([name]) => !name.startsWith(CLAIMS)),
    ),
    'http.response.code': 'Int',
    'cf.response.1xxx_code': 'Int',
    'cf.response.error_type': 'Bytes',
  },
  configurations: [],
}
