const SLASH = 47
const DOT = 46
const PERCENT = 37

/** RFC 3986: unreserved, sub-delims, ":" and "@" stand in a path segment as they are. */
const PLAIN = new Uint8Array(256)
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/") {
  PLAIN[char.charCodeAt(0)] = 1
}
const UNRESERVED = /[A-Za-z0-9._~-]/
const HEX_PAIR = /^[0-9A-Fa-f]{2}$/

/**
 * Normalises a path (one character a byte, as request lines carry it) once, by RFC 3986 section 6.2.2: percent triplets in upper case, unreserved
 * characters decoded, dot segments removed; what may not stand in a path is percent-encoded.
 * A stray `%` becomes `%25`, so a second decoding downstream finds nothing new. Idempotent.
 * What is matched is what is forwarded.
 */
export function normalisePath(path: string, mergeSlashes = true): string {
  return isNormal(path) ? path : joinSegments(path.split('/').map(normaliseSegment), mergeSlashes)
}

/** True for the paths of nearly all requests: nothing to decode, encode, merge or remove. */
function isNormal(path: string): boolean {
  let previous = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (PLAIN[code] !== 1) return false
    if (previous === SLASH && (code === SLASH || code === DOT)) return false
    previous = code
  }
  return path.charCodeAt(0) === SLASH
}

/** One segment with its percent triplets normalised; a `%2F` stays data inside the segment. */
export function normaliseSegment(segment: string): string {
  let text = ''
  for (let at = 0; at < segment.length; at++) {
    const code = segment.charCodeAt(at)
    if (code !== PERCENT) {
      text += PLAIN[code] === 1 ? segment[at] : percentEncoded(code)
    } else if (HEX_PAIR.test(segment.slice(at + 1, at + 3))) {
      const char = String.fromCharCode(Number.parseInt(segment.slice(at + 1, at + 3), 16))
      text += UNRESERVED.test(char) ? char : segment.slice(at, at + 3).toUpperCase()
      at += 2
    } else {
      text += '%25'
    }
  }
  return text
}

/** Bytes come one to a character; whatever is no byte cannot be told from another such thing. */
const percentEncoded = (code: number): string =>
  code > 0xff ? '%EF%BF%BD' : `%${code < 16 ? '0' : ''}${code.toString(16).toUpperCase()}`

/** Removes dot segments (RFC 3986 5.2.4) and, when asked to, empty ones. The first item is the text before the first slash. */
export function joinSegments(segments: readonly string[], mergeSlashes: boolean): string {
  const kept: string[] = []
  const last = segments.length - 1
  for (let at = 1; at <= last; at++) {
    const segment = segments[at] ?? ''
    const dots = segment === '.' || segment === '..'
    if (segment === '..') kept.pop()
    if (dots) {
      if (at === last) kept.push('')
    } else if (segment !== '' || at === last || !mergeSlashes) {
      kept.push(segment)
    }
  }
  return `/${kept.join('/')}`
}
