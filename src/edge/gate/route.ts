import { normalisePath, requestHost } from '../selector/index.js'
import type { CompiledOperation, CompiledRule, CompiledZone } from './compiled-zone.js'
import type { GateRequest } from './gate-request.js'

/** A request target taken apart once: `path` is what was matched and is forwarded. */
export interface Target {
  readonly path: string
  /** Without `?`; null when the target has none. */
  readonly query: string | null
  /** The path as sent. */
  readonly rawPath: string
}

/** How far a request came before any token was looked at. */
export interface Route {
  readonly host: string
  /** Null for a host or a target that cannot be judged. */
  readonly target: Target | null
  readonly zone: CompiledZone | null
  readonly matched: CompiledOperation | null
  readonly rule: CompiledRule | null
}

/** A way that leads to a rule. */
export interface CoveredRoute extends Route {
  readonly target: Target
  readonly zone: CompiledZone
  readonly rule: CompiledRule
}

/** Host to zone, method and path to operation, operation to rule. */
export function findRoute(
  request: GateRequest,
  zones: ReadonlyMap<string, CompiledZone>,
): Route | CoveredRoute {
  const host = requestHost(request.host)
  const zone = zoneOf(host, zones)
  // An origin might still find a host in what is none; without a Host header there is none to find.
  const target =
    host === '' && request.host !== ''
      ? null
      : splitTarget(request, zone === null || zone.settings.merge_slashes)
  let matched: CompiledOperation | null = null
  let rule: CompiledRule | null = null
  if (zone !== null && target !== null) {
    matched = zone.router.match(request.method, host, target.path) ?? null
    if (matched !== null) rule = matched.rule
    else if (zone.settings.unlisted_operations === 'cover')
      rule = zone.covering.ofHosts([host, ...zone.hosts.of(host)])
  }
  return { host, target, zone, matched, rule }
}

export const isCovered = (route: Route): route is CoveredRoute => route.rule !== null

/** The path and query to forward: normalised where it could be, else as sent. */
export function forwardTarget({ target }: Route, request: GateRequest): string {
  if (target === null) return request.target
  return withQuery(target.path, target.query)
}

export const withQuery = (path: string, query: string | null): string =>
  query === null ? path : `${path}?${query}`

/** The zone with the longest name that the host is, or is below. */
function zoneOf(host: string, zones: ReadonlyMap<string, CompiledZone>): CompiledZone | null {
  let name = host
  for (;;) {
    const zone = zones.get(name)
    if (zone !== undefined) return zone
    const dot = name.indexOf('.')
    if (dot === -1) return null
    name = name.slice(dot + 1)
  }
}

const SLASH = 47

function splitTarget({ target, method }: GateRequest, mergeSlashes: boolean): Target | null {
  if (target.charCodeAt(0) !== SLASH)
    return target === '*' && method === 'OPTIONS' ? ASTERISK : null
  const hash = target.indexOf('#')
  const sent = hash === -1 ? target : target.slice(0, hash)
  const mark = sent.indexOf('?')
  const rawPath = mark === -1 ? sent : sent.slice(0, mark)
  const query = mark === -1 ? null : sent.slice(mark + 1)
  return { path: normalisePath(rawPath, mergeSlashes), query, rawPath }
}

/** `OPTIONS *` asks about the server, not about a path (RFC 9110 section 7.1). */
const ASTERISK: Target = { path: '*', query: null, rawPath: '*' }
