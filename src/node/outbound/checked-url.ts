import { OutboundError } from './outbound-error.js'

/**
 * A URL that may be asked at all. Every port may: key sets live on odd ones, and what is protected
 * are addresses. `http:` is for networks that one trusts, so it goes with private addresses.
 *
 * @throws {OutboundError} `bad_url`
 */
export function checkedUrl(text: string, allowPrivate: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw new OutboundError('bad_url', 'expected a URL')
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw new OutboundError('bad_url', 'expected a URL that begins with https://')
  if (url.username + url.password !== '')
    throw new OutboundError('bad_url', 'expected a URL without credentials')
  return url
}
