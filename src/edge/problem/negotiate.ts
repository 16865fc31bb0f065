/** The representations of an edge error. */
export type MediaType =
  'text/html' | 'application/json' | 'application/problem+json' | 'text/markdown'

const HTML = 'text/html'
const JSON_TYPE = 'application/json'
const PROBLEM = 'application/problem+json'
const MARKDOWN = 'text/markdown'

const OFFERED: readonly MediaType[] = [HTML, JSON_TYPE, PROBLEM, MARKDOWN]

// What a media range stands for, as places in OFFERED, in the order that settles a tie inside it.
const RANGES: ReadonlyMap<string, readonly number[]> = new Map([
  [HTML, [0]],
  [JSON_TYPE, [1]],
  [PROBLEM, [2]],
  [MARKDOWN, [3]],
  ['text/*', [3, 0]],
  ['application/*', [1, 2]],
  ['*/*', [0, 1, 3, 2]],
])

// Most ranges in a browser's header are none of these, and their length already tells.
const LENGTHS: ReadonlySet<number> = new Set([...RANGES.keys()].map((range) => range.length))

const MAX_BYTES = 4096
const MAX_ELEMENTS = 64
const CACHE_ENTRIES = 64
const CACHE_KEY_LENGTH = 256

const TAB = 9
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const SEMICOLON = 59
const EQUALS = 61
const BACKSLASH = 92

const QUALITY = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

/** Past optional white space. */
function skipSpace(text: string, from: number): number {
  let at = from
  for (let c = text.charCodeAt(at); c === SPACE || c === TAB; c = text.charCodeAt(at)) at++
  return at
}

/** To the first character that ends a token here; NaN at the end of the text ends it too. */
function skipToken(text: string, from: number): number {
  let at = from
  for (let c = text.charCodeAt(at); c > SPACE && c < 127; c = text.charCodeAt(at)) {
    if (c === COMMA || c === SEMICOLON || c === EQUALS || c === QUOTE) break
    at++
  }
  return at
}

/** To the next comma (or semicolon, when it counts) outside quoted strings, or past the end. */
function skipTo(text: string, from: number, semicolon: number): number {
  let quoted = false
  let at = from
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === QUOTE) quoted = !quoted
    else if (quoted) {
      if (c === BACKSLASH) at++
    } else if (c === COMMA || c === semicolon) break
  }
  return at
}

/** True where a media range or a quality may end: at a comma, a semicolon or the end of the text. */
function mayEnd(text: string, at: number): boolean {
  return ',;'.includes(text.charAt(at))
}

function choose(accept: string): MediaType {
  // Per offered type, what its most specific element so far says; among equals the first.
  const specificities = [0, 0, 0, 0]
  const qualities = [0, 0, 0, 0]
  const places = [0, 0, 0, 0]
  let element = 0
  for (let at = skipSpace(accept, 0); at < accept.length; at = skipSpace(accept, at + 1)) {
    if (accept.charCodeAt(at) === COMMA) continue
    if (++element > MAX_ELEMENTS) return HTML
    const start = at
    at = skipToken(accept, start)
    const range = LENGTHS.has(at - start)
      ? RANGES.get(accept.slice(start, at).toLowerCase())
      : undefined
    at = skipSpace(accept, at)
    if (!range || !mayEnd(accept, at)) {
      at = skipTo(accept, at, COMMA)
      continue
    }
    let q = 1
    let exact = 4
    while (accept.charCodeAt(at) === SEMICOLON) {
      const from = skipSpace(accept, at + 1)
      at = skipToken(accept, from)
      const name = accept.slice(from, at).toLowerCase()
      if (name === 'q') {
        const value = at + 1
        if (accept.charCodeAt(at) === EQUALS) at = skipToken(accept, value)
        const text = accept.slice(value, at)
        at = skipSpace(accept, at)
        q = QUALITY.test(text) && mayEnd(accept, at) ? Number(text) : -1
        // What follows the quality is not of the media type.
        at = skipTo(accept, at, COMMA)
        break
      }
      at = skipTo(accept, at, SEMICOLON)
      if (at > from && name !== 'charset') exact = 3
    }
    if (q < 0) continue
    const specificity = range.length === 1 ? exact : range.length === 2 ? 2 : 1
    for (let rank = 0; rank < range.length; rank++) {
      const type = range[rank] as number
      if (specificity <= (specificities[type] as number)) continue
      specificities[type] = specificity
      qualities[type] = q
      places[type] = element * 4 + rank
    }
  }
  // Highest quality, then place in the header, then rank inside one wildcard.
  let best = 0
  for (let type = 1; type < 4; type++) {
    const lead = (qualities[type] as number) - (qualities[best] as number)
    if (lead > 0 || (lead === 0 && (places[type] as number) < (places[best] as number))) best = type
  }
  return qualities[best] ? (OFFERED[best] as MediaType) : HTML
}

const seen = new Map<string, MediaType>()

/**
 * The representation for an `Accept` header (spec 7.2; several lines joined by a comma). Total: HTML
 * for none, nonsense, or more than 4,096 bytes or 64 elements. Linear in the text; headers of usual
 * length are remembered, at most 64 of them.
 */
export function negotiate(accept: string | null | undefined): MediaType {
  if (!accept || accept.length > MAX_BYTES) return HTML
  if (accept.length > CACHE_KEY_LENGTH) return choose(accept)
  let type = seen.get(accept)
  if (type === undefined) {
    type = choose(accept)
    // Few clients send many headers: starting over is cheaper than knowing which is the oldest.
    if (seen.size >= CACHE_ENTRIES) seen.clear()
    seen.set(accept, type)
  }
  return type
}
