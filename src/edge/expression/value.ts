import type { Ip } from './ip.js'

/**
 * A value of the language. Text is bytes: a string holds one character U+0000 to U+00FF a byte. An
 * Int is a number while it is a safe integer and a bigint beyond, so that `===` compares.
 */
export type Value =
  boolean | number | bigint | string | Ip | readonly Value[] | ReadonlyMap<string, Value>

export type List = readonly Value[]
export type Table = ReadonlyMap<string, Value>

/**
 * The name of a type as schemes spell it: `Bool`, `Int`, `Bytes`, `Ip`, `Array<…>`, `Map<…>`. Names
 * are canonical, so types are equal when their names are.
 */
export type Type = string

/** What an Array or Map holds, undefined for any other type. */
export function elementOf(type: Type): Type | undefined {
  return /^(?:Array|Map)<(.*)>$/.exec(type)?.[1]
}

/** What an array or a map holds; the order of a map is its own. */
export function elements(value: Value): List {
  return Array.isArray(value) ? (value as List) : [...(value as Table).values()]
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const WIDE = /[\u0080-\uffff]/

/** The UTF-8 bytes of a text, one character a byte. */
export function bytesOf(text: string): string {
  if (!WIDE.test(text)) return text
  let bytes = ''
  for (const byte of encoder.encode(text)) bytes += String.fromCharCode(byte)
  return bytes
}

/** The text that bytes spell in UTF-8; what is not UTF-8 becomes U+FFFD. */
export function textOf(bytes: string): string {
  if (!WIDE.test(bytes)) return bytes
  return decoder.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
}

/** An Int in its one canonical form, or undefined beyond 64 bits. */
export function canonicalInt(value: bigint): number | bigint | undefined {
  if (value !== BigInt.asIntN(64, value)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
