import type { ClaimHeader, ZoneSettings } from './policy.js'
import type { Consultation } from './consultation.js'
import { cookieName, cookiePairs } from './cookies.js'
import type { GateRequest } from './gate-request.js'

/** What to change in a request on its way upstream. */
export interface HeaderEdits {
  /** Names in lower case. */
  readonly remove: readonly string[]
  readonly set: readonly (readonly [name: string, value: string])[]
  /** The new Cookie header; null drops it, undefined leaves it as it is. */
  readonly cookie: string | null | undefined
}

/** Does the zone change requests at all? Then even a request that no rule covers has edits. */
export function editsRequests({ claim_headers, strip_tokens }: Required<ZoneSettings>): boolean {
  return claim_headers.length > 0 || strip_tokens
}

/**
 * Claims of valid tokens become headers, a client's own headers of those names go, tokens go when
 * the zone strips them. A client's `X_User` goes with `X-User`: some servers read them as one.
 */
export function headerEdits(
  request: GateRequest,
  { claim_headers, strip_tokens }: Required<ZoneSettings>,
  consultations: readonly Consultation[],
): HeaderEdits {
  const reserved = new Set(claim_headers.map(({ header }) => folded(header)))
  const sources = strip_tokens ? consultations.flatMap((each) => each.configuration.sources) : []
  const names = (kind: 'header' | 'cookie') =>
    sources.filter((source) => source.kind === kind).map((source) => source.name)
  const remove = new Set(names('header'))
  for (const [name] of request.headers())
    if (reserved.has(folded(name))) remove.add(name.toLowerCase())
  return {
    remove: [...remove],
    set: claim_headers.flatMap((each) => claimHeader(each, consultations)),
    cookie: withoutCookies(request.header('cookie'), new Set(names('cookie'))),
  }
}

const folded = (name: string): string => name.toLowerCase().replaceAll('_', '-')

function withoutCookies(
  header: string | undefined,
  names: ReadonlySet<string>,
): string | null | undefined {
  if (header === undefined || names.size === 0) return undefined
  const kept = [...cookiePairs(header)].filter(([name]) => !names.has(cookieName(name)))
  return kept.length === 0 ? null : kept.map(([name, value]) => `${name}=${value}`).join('; ')
}

function claimHeader(
  { header, configuration_id, claim }: ClaimHeader,
  consultations: readonly Consultation[],
): readonly (readonly [string, string])[] {
  const verdict = consultations.find((each) => each.configuration.id === configuration_id)?.verdict
  if (verdict?.status !== 'valid') return []
  let value: unknown = verdict.claims
  for (const name of [claim].flat()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return [[header, headerValue(value)]]
}

/**
 * Text as it is, other values as JSON. `%` and whatever a header may not safely carry (controls,
 * non-ASCII) is percent-encoded, so that receivers decode without doubt.
 */
function headerValue(claim: unknown): string {
  const text = typeof claim === 'string' ? claim : JSON.stringify(claim)
  return text.toWellFormed().replace(/[^ -$&-~]+/g, encodeURIComponent)
}
