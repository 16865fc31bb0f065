import type { Consultation } from './consultation.js'
import { withoutCookies } from './cookies.js'
import { judgementOf, type Decision } from './decision.js'
import type { ClaimHeader } from './policy.js'

/** What to change in a request on its way upstream. */
export interface HeaderEdits {
  /** Names in lower case; the client need not have sent them. */
  readonly remove: readonly string[]
  /** At most one value for each name. */
  readonly set: readonly (readonly [name: string, value: string])[]
  /** The new Cookie header; null drops it, undefined leaves it as it is. */
  readonly cookie: string | null | undefined
}

/**
 * What a decision wants changed on the way upstream; null when nothing. Claims of valid tokens
 * become headers, a client's own headers of those names go, tokens go when the zone strips them. A
 * client's `X_User` goes with `X-User`: some servers read them as one.
 */
export function headerEdits(decision: Decision): HeaderEdits | null {
  const { request, route, consultations } = judgementOf(decision)
  const { claim_headers = [], strip_tokens = false } = route.zone?.settings ?? {}
  if (claim_headers.length === 0 && !strip_tokens) return null
  const reserved = new Set(claim_headers.map(({ header }) => foldedName(header)))
  const sources = strip_tokens ? consultations.flatMap((each) => each.configuration.sources) : []
  const names = (kind: 'header' | 'cookie') =>
    new Set(sources.filter((source) => source.kind === kind).map(({ name }) => name))
  const remove = names('header')
  for (const { header } of claim_headers) remove.add(header.toLowerCase())
  for (const [name] of request.headers())
    if (reserved.has(foldedName(name))) remove.add(name.toLowerCase())
  return {
    remove: [...remove],
    set: claimHeaders(claim_headers, consultations),
    cookie: cookieEdit(request.header('cookie') ?? undefined, names('cookie')),
  }
}

/** The one spelling of all that CGI-like servers take for the same header name. */
export const foldedName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '-')

function cookieEdit(header: string | undefined, names: ReadonlySet<string>): HeaderEdits['cookie'] {
  return header === undefined || names.size === 0 ? undefined : withoutCookies(header, names)
}

/** Where two configurations fill one header, the first in the list that has a claim does. */
function claimHeaders(
  all: readonly ClaimHeader[],
  consultations: readonly Consultation[],
): HeaderEdits['set'] {
  const lines = new Map<string, readonly [string, string]>()
  for (const { header, configuration_id, claim } of all) {
    const name = header.toLowerCase()
    const value = claimOf(consultations, configuration_id, [claim].flat())
    if (value !== undefined && !lines.has(name)) lines.set(name, [header, headerValue(value)])
  }
  return [...lines.values()]
}

function claimOf(
  consultations: readonly Consultation[],
  id: string,
  path: readonly string[],
): unknown {
  const verdict = consultations.find(({ configuration }) => configuration.id === id)?.verdict
  let value: unknown = verdict?.status === 'valid' ? verdict.claims : undefined
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/**
 * Text as it is, other values as JSON. `%` and whatever a header may not safely carry (controls,
 * non-ASCII) is percent-encoded, as are spaces at its ends, which receivers cut off, so that they
 * decode without doubt.
 */
function headerValue(claim: unknown): string {
  const text = typeof claim === 'string' ? claim : JSON.stringify(claim)
  return text.toWellFormed().replace(/^ | $|[^ -$&-~]+/g, encodeURIComponent)
}
