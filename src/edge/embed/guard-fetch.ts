import type { Decision, Gate } from '../gate/index.js'
import { toResponse } from '../problem/index.js'
import { admit, type EmbedOptions } from './admit.js'
import { editedRequest } from './edited-request.js'
import { fetchGateRequest } from './fetch-gate-request.js'

/** A fetch handler; whatever a runtime passes after the request (environment, context) goes through. */
export type FetchHandler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>

/**
 * Puts a gate before a fetch handler: workers, Deno, Bun, and every server that speaks fetch.
 * @example
 * export default { fetch: guardFetch(createGate(policy), (request) => fetch(request)) }
 */
export function guardFetch<Rest extends readonly unknown[]>(
  gate: Gate,
  handler: FetchHandler<Rest>,
  options: EmbedOptions<Request> = {},
): FetchHandler<Rest> {
  return async (request, ...rest) => {
    const asked = fetchGateRequest(request, options.ip?.(request))
    const { decision, answer } = await admit(gate, asked, request, options)
    if (answer !== null) return toResponse(answer, request.method)
    return handler(editedRequest(request, decision as Decision), ...rest)
  }
}
