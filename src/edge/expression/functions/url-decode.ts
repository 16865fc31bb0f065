import { bytesOf } from '../value.js'

const ESCAPE = /%([\da-f]{2})/gi
const WIDE_ESCAPE = /%(?:([\da-f]{2})|u([\da-f]{4}))/gi
const LONGEST_ESCAPE = 6

/** Decodes `%20`; what only looks like an escape stays. */
export function percentDecode(text: string): string {
  return text.replace(ESCAPE, decoded)
}

/**
 * Decodes `%20` and `+`, and `%uXXXX` when `wide`; when `recursive`, until nothing is left to
 * decode. Either way the text is read once.
 */
export function urlDecode(text: string, recursive: boolean, wide: boolean): string {
  const escape = wide ? WIDE_ESCAPE : ESCAPE
  if (!recursive) return text.replaceAll('+', ' ').replace(escape, decoded)
  const ending = new RegExp(`${escape.source}$`, 'i')
  const done: string[] = []
  for (const char of text) {
    done.push(char)
    // Whatever a decoded escape helps to spell ends where it stood.
    for (;;) {
      const match = ending.exec(done.slice(-LONGEST_ESCAPE).join(''))
      if (!match) break
      done.splice(-match[0].length, Infinity, ...decoded(...(match as unknown as [string])))
    }
  }
  return done.join('').replaceAll('+', ' ')
}

function decoded(_escape: string, byte?: string, code?: string): string {
  return byte
    ? String.fromCharCode(parseInt(byte, 16))
    : bytesOf(String.fromCharCode(parseInt(code ?? '', 16)))
}
