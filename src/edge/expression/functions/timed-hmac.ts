import { decodeBase64 } from './base64.js'
import { hmacSha256 } from './sha256.js'
import { percentDecode } from './url-decode.js'

/**
 * Message, separator, time, dash and a MAC of at least the 43 characters that base64 makes of 32
 * bytes. The dash is the last that can be: the MAC may hold dashes too, if it is long enough.
 */
const SIGNED = /^([^]*)(\d{10})-([^]{43,})$/

/**
 * Whether a text carries an HMAC-SHA256 of its message and time that is not too old. The MAC is
 * base64, percent-encoded or, with the flag `s`, in the alphabet of URLs.
 */
export function isTimedHmacValid(
  key: string,
  text: string,
  lifetime: number | bigint,
  now: number | bigint,
  separatorLength = 0,
  flag = '',
): boolean {
  const [, begin = '', time = '', mac = ''] = SIGNED.exec(text) ?? []
  const message = begin.slice(0, Math.max(0, begin.length - separatorLength))
  if (!message) return false
  const given = decodeBase64(
    flag ? mac.replaceAll('-', '+').replaceAll('_', '/') : percentDecode(mac),
  )
  const expected = hmacSha256(key, message + time)
  return equals(given ?? '', expected) && Number(time) + Number(lifetime) >= Number(now)
}

/** Compares in a time that does not tell where two texts differ. */
function equals(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++) {
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index)
  }
  return difference === 0
}
