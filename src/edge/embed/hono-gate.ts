import type { Decision, Gate } from '../gate/index.js'
import { toResponse } from '../problem/index.js'
import { admit, type EmbedOptions } from './admit.js'
import { editedRequest } from './edited-request.js'
import { fetchGateRequest } from './fetch-gate-request.js'

/** The part of a Hono context that is used; Hono itself is not needed here. */
interface HonoContext {
  readonly req: { raw: Request }
  set(key: string, value: unknown): void
}

/**
 * Hono middleware. Handlers find the decision under `c.get('decision')`.
 * @example
 * app.use(honoGate(createGate(policy)))
 */
export function honoGate(
  gate: Gate,
  options: EmbedOptions<Request> = {},
): (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (context, next) => {
    const request = context.req.raw
    const asked = fetchGateRequest(request, options.ip?.(request))
    const { decision, answer } = await admit(gate, asked, request, options)
    if (answer !== null) return toResponse(answer, request.method)
    context.req.raw = editedRequest(request, decision as Decision)
    context.set('decision', decision)
    await next()
    return undefined
  }
}
