import { canonicalInt } from './value.js'

/** Whether an integer is written in octal, which a leading zero alone says. */
export const isOctal = (text: string): boolean => /^0\d/.test(text)

/** Reads a signed 64-bit integer: decimal, `0x1f5`, or octal `0123`. */
export function parseInteger(text: string): number | bigint | undefined {
  if (!/^(?:0x[0-9a-fA-F]+|0[0-7]*|-?[1-9]\d*|-0)$/.test(text)) return undefined
  return canonicalInt(BigInt(isOctal(text) ? `0o${text}` : text))
}
