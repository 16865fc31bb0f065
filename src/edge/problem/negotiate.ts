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

/** To the next comma (or semicolon, when it counts) outside quoted strings, or the end. */
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
  return at < text.length ? at : text.length
}

/** Thousandths of a quality value (`0` to `1`, at most three decimals) that fills from..to, or -1. */
function quality(text: string, from: number, to: number): number {
  const whole = text.charCodeAt(from) - 48
  if ((whole !== 0 && whole !== 1) || to - from > 5) return -1
  if (to - from === 1) return whole * 1000
  if (text.charCodeAt(from + 1) !== 46) return -1
  let fraction = 0
  for (let at = from + 2, unit = 100; at < to; at++, unit /= 10) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return -1
    fraction += digit * unit
  }
  return whole === 1 ? (fraction === 0 ? 1000 : -1) : fraction
}

const EXACT = 4
const EXACT_WITH_PARAMETERS = 3

/** The best element seen so far for each offered type. */
class Ballot {
  readonly #specificity = [0, 0, 0, 0]
  readonly #quality = [0, 0, 0, 0]
  readonly #place = [0, 0, 0, 0]

  /** The most specific element speaks for a type; among equals the first. */
  cast(range: readonly number[], exactness: number, q: number, element: number): void {
    const specificity = range.length === 1 ? exactness : range.length === 2 ? 2 : 1
    for (let rank = 0; rank < range.length; rank++) {
      const type = range[rank] as number
      if (specificity > (this.#specificity[type] as number)) {
        this.#specificity[type] = specificity
        this.#quality[type] = q
        this.#place[type] = element * 4 + rank
      }
    }
  }

  /** Highest quality wins, then the place in the header, then the rank inside one wildcard. */
  winner(): MediaType {
    let best = -1
    for (let type = 0; type < 4; type++) {
      const q = this.#quality[type] as number
      if (q === 0) continue
      const lead = best < 0 ? 1 : q - (this.#quality[best] as number)
      if (lead > 0 || (lead === 0 && (this.#place[type] as number) < (this.#place[best] as number)))
        best = type
    }
    return OFFERED[best] ?? HTML
  }
}

function choose(accept: string): MediaType {
  if (accept.length > MAX_BYTES) return HTML
  const ballot = new Ballot()
  let element = 0
  for (let at = skipSpace(accept, 0); at < accept.length; at = skipSpace(accept, at + 1)) {
    if (accept.charCodeAt(at) === COMMA) continue
    if (++element > MAX_ELEMENTS) return HTML
    const start = at
    at = skipToken(accept, start)
    const range = RANGES.get(accept.slice(start, at).toLowerCase())
    at = skipSpace(accept, at)
    if (range === undefined) {
      at = skipTo(accept, at, COMMA)
      continue
    }
    let exactness = EXACT
    let q = 1000
    while (accept.charCodeAt(at) === SEMICOLON) {
      const name = skipSpace(accept, at + 1)
      at = skipToken(accept, name)
      const length = at - name
      if (length === 1 && (accept.charCodeAt(name) | 32) === 113) {
        const end = accept.charCodeAt(at) === EQUALS ? skipToken(accept, at + 1) : at
        q = end > at ? quality(accept, at + 1, end) : -1
        at = skipSpace(accept, end)
        if (at < accept.length && accept.charCodeAt(at) !== COMMA) {
          if (accept.charCodeAt(at) !== SEMICOLON) q = -1
          at = skipTo(accept, at, COMMA)
        }
        break
      }
      const rest = skipTo(accept, at, SEMICOLON)
      if (rest > name && !(length === 7 && accept.slice(name, at).toLowerCase() === 'charset'))
        exactness = EXACT_WITH_PARAMETERS
      at = rest
    }
    if (at < accept.length && accept.charCodeAt(at) !== COMMA) {
      // Text after the type that is no parameter: not a media range.
      at = skipTo(accept, at, COMMA)
      q = -1
    }
    if (q >= 0) ballot.cast(range, exactness, q, element)
  }
  return ballot.winner()
}

const seen = new Map<string, MediaType>()

/**
 * The representation for an `Accept` header (spec 7.2; several lines joined by a comma). Total: HTML
 * for none, nonsense, or more than 4,096 bytes or 64 elements. Linear in the text; headers of usual
 * length are remembered, at most 64 of them.
 */
export function negotiate(accept: string | null | undefined): MediaType {
  if (!accept) return HTML
  const known = accept.length <= CACHE_KEY_LENGTH ? seen.get(accept) : undefined
  if (known !== undefined) return known
  const chosen = choose(accept)
  if (accept.length <= CACHE_KEY_LENGTH) {
    if (seen.size >= CACHE_ENTRIES) {
      for (const oldest of seen.keys()) {
        seen.delete(oldest)
        break
      }
    }
    seen.set(accept, chosen)
  }
  return chosen
}
