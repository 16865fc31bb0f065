import { bytesOf } from '../value.js'

const ESCAPE = /%([\da-f]{2})/gi
const WIDE_ESCAPE = /%(?:([\da-f]{2})|u([\da-f]{4}))/gi

/** Decodes `%20`; what only looks like an escape stays. */
export function percentDecode(text: string, escape: RegExp = ESCAPE): string {
  return text.replace(escape, (_, byte?: string, code = '') => {
    const char = String.fromCharCode(parseInt(byte ?? code, 16))
    return byte ? char : bytesOf(char)
  })
}

/**
 * Decodes `%20` and `+`; with the option `u` `%uXXXX` too, with `r` until nothing is left to decode.
 * Either way the text is read once.
 */
export function urlDecode(text: string, options = ''): string {
  const longest = 6
  const escape = options.includes('u') ? WIDE_ESCAPE : ESCAPE
  if (!options.includes('r')) return percentDecode(text.replaceAll('+', ' '), escape)
  const ending = new RegExp(`(?:${escape.source})$`, 'i')
  const done: string[] = []
  for (const char of text) {
    done.push(char)
    // Whatever a decoded escape helps to spell ends where it stood.
    for (;;) {
      const [match] = ending.exec(done.slice(-longest).join('')) ?? []
      if (!match) break
      done.splice(-match.length, Infinity, ...percentDecode(match, escape))
    }
  }
  return done.join('').replaceAll('+', ' ')
}
