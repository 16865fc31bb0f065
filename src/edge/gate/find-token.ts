import type { TokenSource } from '../expression/index.js'
import { cookieName, cookiePairs } from './cookies.js'
import type { GateRequest } from './gate-request.js'

/** Where a configuration's token was found. `source_index` is null when no source has one. */
export interface FoundToken {
  readonly token: string | null
  readonly source_index: number | null
  /** Another source holds a different token. Only looked for when asked to. */
  readonly ambiguous: boolean
}

const NONE: FoundToken = { token: null, source_index: null, ambiguous: false }

/**
 * The token of a request: the first source, in list order, that is present and not empty. There is
 * no falling through from a bad token to a later source, or a client could choose what is checked.
 */
export function findToken(
  request: GateRequest,
  sources: readonly TokenSource[],
  lookForOthers: boolean,
): FoundToken {
  for (let at = 0; at < sources.length; at++) {
    const token = tokenAt(request, sources[at] as TokenSource)
    if (token === '') continue
    const ambiguous =
      lookForOthers &&
      sources.slice(at + 1).some((source) => !['', token].includes(tokenAt(request, source)))
    return { token, source_index: at, ambiguous }
  }
  return NONE
}

function tokenAt(request: GateRequest, source: TokenSource): string {
  const value =
    source.kind === 'header' ? request.header(source.name) : cookie(request, source.name)
  return value === undefined || value === '' ? '' : withoutScheme(value)
}

function cookie(request: GateRequest, name: string): string | undefined {
  const header = request.header('cookie')
  if (header === undefined) return undefined
  for (const [sent, value] of cookiePairs(header)) if (cookieName(sent) === name) return value
  return undefined
}

const BEARER = /^bearer:?[ \t]+/i

/** Strips one leading `Bearer ` (any case, optional colon), then spaces; nothing else. */
function withoutScheme(value: string): string {
  const scheme = (value.charCodeAt(0) | 32) === 98 ? BEARER.exec(value) : null
  const from = scheme === null ? 0 : scheme[0].length
  let start = from
  let end = value.length
  while (start < end && value.charCodeAt(start) === 32) start += 1
  while (end > start && value.charCodeAt(end - 1) === 32) end -= 1
  return start === 0 && end === value.length ? value : value.slice(start, end)
}
