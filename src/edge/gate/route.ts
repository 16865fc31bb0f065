import { isPlain, normalisePath, requestHost } from '../selector/index.js'
import type { CompiledOperation, CompiledRule, CompiledZone } from './compiled-zone.js'
import type { GateRequest } from './gate-request.js'
import { halves } from './halves.js'
import { otherReadings } from './other-readings.js'

/** A policy in force: everything a request is judged by. Never changed, only replaced. */
export interface GateState {
  readonly epoch: number
  readonly zones: ReadonlyMap<string, CompiledZone>
  /** What hosts came to, by their text as sent: remembered, never configured. */
  readonly places: Map<string, Place>
}

/** A request target taken apart once: `path` is what was matched and is forwarded. */
export interface Target {
  readonly path: string
  /** Without `?`; null when the target has none. */
  readonly query: string | null
  /** The path as sent. */
  readonly rawPath: string
  /** Nobody reads the path in another way: known where it is split, and not looked for again. */
  readonly isPlain?: true
}

/** How far a request came before any token was looked at. */
export interface Route {
  readonly host: string
  /** Null for a host or a target that cannot be judged, or that an origin may read in another way. */
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

/** A host as the gate compares it, and the zone it belongs to. */
export interface Place {
  readonly host: string
  readonly zone: CompiledZone | null
}

/** Host to zone, method and path to operation, operation to rule. */
export function findRoute(request: GateRequest, state: GateState): Route | CoveredRoute {
  const { host, zone } = placeOf(request.host, state)
  // An origin might still find a host in what is none; without a Host header there is none to find.
  const isNone = !host && request.host
  const target = isNone ? null : splitTarget(request, zone?.settings.merge_slashes)
  if (!zone || !target) return { host, target, zone, matched: null, rule: null }
  const operationAt = (path: string) => zone.router.match(request.method, host, path) ?? null
  const matched = operationAt(target.path)
  const rule = ruleOf(matched, host, zone)
  // One text, two meanings: what is judged as one thing must not be served as another that a rule
  // protects.
  if (!target.isPlain) {
    for (const path of otherReadings(target.path, zone.settings.merge_slashes)) {
      const other = ruleOf(operationAt(path), host, zone)
      if (other?.action === 'block' && other !== rule)
        return { host, target: null, zone, matched: null, rule: null }
    }
  }
  return { host, target, zone, matched, rule }
}

const ruleOf = (operation: CompiledOperation | null, host: string, zone: CompiledZone) =>
  operation || zone.settings.unlisted_operations === 'pass'
    ? operation && operation.rule
    : zone.covering.ofHosts([host, ...zone.hosts.of(host)])

export const isCovered = (route: Route): route is CoveredRoute => route.rule !== null

/** The path and query to forward: normalised where it could be, else as sent. */
export function forwardTarget({ target }: Route, request: GateRequest): string {
  if (target === null) return request.target
  return withQuery(target.path, target.query)
}

export const withQuery = (path: string, query: string | null): string =>
  query === null ? path : `${path}?${query}`

/** Most requests name one of a few hosts, in the same spelling. */
function placeOf(sent: string, { zones, places }: GateState): Place {
  const most = 1024
  const known = places.get(sent)
  if (known !== undefined) return known
  const host = requestHost(sent)
  const place = { host, zone: zoneOf(host, zones) }
  if (places.size === most) places.clear()
  // Hosts of no zone are anybody's guess.
  if (place.zone !== null) places.set(sent, place)
  return place
}

/** The zone with the longest name that the host is, or is below. */
function zoneOf(host: string, zones: ReadonlyMap<string, CompiledZone>): CompiledZone | null {
  const dot = host.indexOf('.')
  return zones.get(host) ?? (dot === -1 ? null : zoneOf(host.slice(dot + 1), zones))
}

export function splitTarget(
  { target, method }: GateRequest,
  mergeSlashes?: boolean,
): Target | null {
  // `OPTIONS *` asks about the server, not about a path (RFC 9110 section 7.1).
  if (isPlain(target) || (target === '*' && method === 'OPTIONS'))
    return { path: target, query: null, rawPath: target, isPlain: true }
  if (!target.startsWith('/')) return null
  const [sent] = halves(target, '#')
  const [rawPath, query] = halves(sent, '?')
  if (isPlain(rawPath)) return { path: rawPath, query, rawPath, isPlain: true }
  return { path: normalisePath(rawPath, mergeSlashes), query, rawPath }
}
