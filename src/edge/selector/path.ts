/**
 * What has no place in a path (RFC 3986: unreserved, sub-delims, ":", "@" and "/" have), `;`, and
 * slashes to merge or before a dot segment. Hardly any request has one.
 */
const UNUSUAL = /[^\w.~!$&'()*+,=:@/-]|\/[/.]/
/** A percent triplet, or one character that must be encoded, a stray `%` among them. */
const ENCODED = /%[\dA-Fa-f]{2}|[^\w.~!$&'()*+,;=:@/-]/g
const UNRESERVED = /[\w.~-]/

/**
 * Normalises a path (one character a byte, as request lines carry it) once, by RFC 3986 section
 * 6.2.2: percent triplets in upper case, unreserved characters decoded, dot segments removed; what
 * may not stand in a path is percent-encoded.
 * A stray `%` becomes `%25`, so a second decoding downstream finds nothing new. Idempotent.
 * What is matched is what is forwarded.
 */
export function normalisePath(path: string, mergeSlashes = true): string {
  if (isPlain(path)) return path
  return joinSegments(normaliseTriplets(path).split('/'), mergeSlashes)
}

/**
 * A path that normalising leaves as it is and that nobody reads in another way; a whole target without
 * query or fragment may be one.
 */
export const isPlain = (path: string): boolean => path.startsWith('/') && !UNUSUAL.test(path)

/** The text with its percent triplets normalised; a `%2F` stays data inside its segment. */
export function normaliseTriplets(text: string): string {
  return text.replace(
    ENCODED,
    // Bytes come one to a character; whatever is no byte cannot be told from another such thing.
    (found) => OCTETS[found[1] ? parseInt(found.slice(1), 16) : found.charCodeAt(0)] ?? '%EF%BF%BD',
  )
}

/** How each byte is written: a stranger may send thousands that are not written so. */
const OCTETS = Array.from({ length: 256 }, (_, code) => {
  const char = String.fromCharCode(code)
  return UNRESERVED.test(char) ? char : `%${code.toString(16).toUpperCase().padStart(2, '0')}`
})

/**
 * Removes dot segments (RFC 3986 5.2.4) and, when asked to, empty ones. The first item is the text
 * before the first slash.
 */
export function joinSegments(segments: readonly string[], mergeSlashes: boolean): string {
  const kept: string[] = []
  const last = segments.length - 1
  for (let at = 1; at <= last; at++) {
    const segment = segments[at] ?? ''
    const isDots = segment === '.' || segment === '..'
    if (segment === '..') kept.pop()
    if (at === last) kept.push(isDots ? '' : segment)
    else if (!isDots && (segment !== '' || !mergeSlashes)) kept.push(segment)
  }
  return `/${kept.join('/')}`
}
