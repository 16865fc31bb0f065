import { decodeBase64 } from './base64.js'
import { hmacSha256 } from './sha256.js'
import { percentDecode } from './url-decode.js'

/** The shortest base64 of 32 bytes, without its padding. */
const SHORTEST_MAC = 43
const TIME_DIGITS = 10

/**
 * Whether `message separator time-MAC` carries an HMAC-SHA256 of message and time that is not too
 * old. The MAC is base64, percent-encoded or, when `urlSafe`, in the alphabet of URLs.
 */
export function isTimedHmacValid(
  key: string,
  text: string,
  lifetime: number,
  now: number,
  separatorLength: number,
  urlSafe: boolean,
): boolean {
  // The last dash that can be the one: the MAC may hold dashes too, if it is long enough for them.
  let dash = text.lastIndexOf('-', text.length - 1 - SHORTEST_MAC)
  while (dash >= 0 && !/^\d{10}$/.test(text.slice(Math.max(0, dash - TIME_DIGITS), dash))) {
    dash = dash === 0 ? -1 : text.lastIndexOf('-', dash - 1)
  }
  const begin = dash - TIME_DIGITS
  const message = text.slice(0, Math.max(0, begin - separatorLength))
  if (dash < 0 || message === '') return false
  const time = text.slice(begin, dash)
  const mac = text.slice(dash + 1)
  const standard = urlSafe ? mac.replaceAll('-', '+').replaceAll('_', '/') : percentDecode(mac)
  const given = decodeBase64(standard)
  const expected = hmacSha256(key, message + time)
  return given !== undefined && equals(given, expected) && Number(time) + lifetime >= now
}

/** Compares in a time that does not tell where two texts differ. */
function equals(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++) {
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index)
  }
  return difference === 0
}
