import type { TokenSource } from '../expression/index.js'
import { cookiePairs, trimmed } from './cookies.js'
import type { GateRequest } from './gate-request.js'

/** Where a configuration's token was found. `source_index` is null when no source has one. */
export interface FoundToken {
  readonly token: string | null
  readonly source_index: number | null
  /** Characters of the text that the token was cut from beside its own. */
  readonly spare: number
  /** Elsewhere in the sources there is a different token. Only looked for when asked to. */
  readonly ambiguous: boolean
}

const NONE: FoundToken = { token: null, source_index: null, spare: 0, ambiguous: false }

/**
 * The token of a request: the first source, in list order, that is present and not empty. There is
 * no falling through from a bad token to a later source, or a client could choose what is checked.
 *
 * @param lookForOthers also compares later sources, and repeated headers or cookies of one source
 */
export function findToken(
  request: GateRequest,
  sources: readonly TokenSource[],
  lookForOthers: boolean,
): FoundToken {
  for (let at = 0; at < sources.length; at++) {
    const { kind, name } = sources[at] as TokenSource
    const isHeader = kind === 'header'
    const text = request.header(isHeader ? name : 'cookie') ?? ''
    const token = withoutScheme(isHeader ? text : firstCookie(text, name))
    if (token === '') continue
    const ambiguous = lookForOthers && sources.some((source) => hasOther(request, source, token))
    return { token, source_index: at, spare: text.length - token.length, ambiguous }
  }
  return NONE
}

function firstCookie(cookies: string, name: string): string {
  for (const [sent, value] of cookiePairs(cookies)) if (sent === name) return value
  return ''
}

function hasOther(request: GateRequest, { kind, name }: TokenSource, token: string): boolean {
  const pairs = kind === 'header' ? request.headers() : cookiePairs(request.header('cookie') ?? '')
  for (const [sent, value] of pairs) {
    const found = (kind === 'header' ? sent.toLowerCase() : sent) === name
    const other = found && withoutScheme(value)
    if (other && other !== token) return true
  }
  return false
}

/** Sticky: how far it came is where the token starts, and no array of matches is made. */
const BEARER = /bearer:?[ \t]+/iy

/** Strips one leading `Bearer ` (any case, optional colon), then blanks; nothing else. */
function withoutScheme(value: string): string {
  // How nearly all clients write it.
  const usual = 'Bearer '
  if (value.startsWith(usual)) return trimmed(value, usual.length)
  BEARER.lastIndex = 0
  BEARER.test(value)
  return trimmed(value, BEARER.lastIndex)
}
