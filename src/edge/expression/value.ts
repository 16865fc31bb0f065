import type { Ip } from './ip.js'

/**
 * A value of the language. Text is bytes: a string holds one character U+0000 to U+00FF a byte. An
 * Int is a number while it is a safe integer and a bigint beyond, so that `===` compares.
 */
export type Value =
  boolean | number | bigint | string | Ip | readonly Value[] | ReadonlyMap<string, Value>

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const CHUNK = 8192
const ASCII = /^[\0-\x7f]*$/

/** The UTF-8 bytes of a text, one character a byte. */
export function bytesOf(text: string): string {
  return ASCII.test(text) ? text : binary(encoder.encode(text))
}

/** The text that bytes spell in UTF-8; what is not UTF-8 becomes U+FFFD. */
export function textOf(bytes: string): string {
  if (ASCII.test(bytes)) return bytes
  return decoder.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
}

function binary(bytes: Uint8Array): string {
  let result = ''
  // String.fromCharCode takes its bytes as arguments, of which engines allow only so many.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    result += String.fromCharCode(...bytes.subarray(start, start + CHUNK))
  }
  return result
}

const I64 = 2n ** 63n

/** An Int in its one canonical form, or undefined beyond 64 bits. */
export function canonicalInt(value: bigint): number | bigint | undefined {
  if (value < -I64 || value >= I64) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
