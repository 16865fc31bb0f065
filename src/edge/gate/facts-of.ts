import type { Facts } from '../expression/index.js'
import type { GateRequest } from './gate-request.js'
import { RequestFacts } from './request-facts.js'
import { splitTarget } from './route.js'

/**
 * What expressions may ask of a request on which no token was looked at. A target that is no path
 * counts as one, as it was sent.
 *
 * @param now epoch milliseconds
 */
export function factsOf(request: GateRequest, now: number, mergeSlashes?: boolean): Facts {
  const { target: sent } = request
  const target = splitTarget(request, mergeSlashes) ?? { path: sent, query: null, rawPath: sent }
  return new RequestFacts(request, target, now, [])
}
