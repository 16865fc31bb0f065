import type { Decision, Gate } from '../gate/index.js'
import { admit, type Admission, type EmbedOptions } from './admit.js'
import { NodeGateRequest, type NodeRequest } from './node-gate-request.js'

/** The parts of `IncomingMessage` and `ServerResponse` that are used. */
export interface ConnectRequest extends NodeRequest {
  url?: string | undefined
  headers: Record<string, string | string[] | undefined>
  /** Set for handlers further on. */
  decision?: Decision
}
export interface ConnectResponse {
  statusCode: number
  setHeader(name: string, value: string | readonly string[]): unknown
  end(body?: string): unknown
}

/**
 * Middleware for Express, Connect and what speaks like them. Handlers find `request.decision`, and
 * `request.url` is the normalised one that was judged.
 * @example
 * app.use(connectGate(createGate(policy, { crypto: nodeCrypto() })))
 */
export function connectGate<Asked extends ConnectRequest>(
  gate: Gate,
  options: EmbedOptions<Asked> = {},
): (request: Asked, response: ConnectResponse, next: (error?: unknown) => void) => void {
  return (request, response, next) => {
    const asked = new NodeGateRequest(request, { ip: options.ip?.(request) })
    const proceed = (admission: Admission) => goOn(admission, request, response, next)
    const admission = admit(gate, asked, request, options)
    if (admission instanceof Promise) admission.then(proceed).catch(next)
    else proceed(admission)
  }
}

function goOn(
  { decision, answer }: Admission,
  request: ConnectRequest,
  response: ConnectResponse,
  next: () => void,
): void {
  if (answer !== null) {
    response.statusCode = answer.status
    for (const [name, value] of answer.headers) response.setHeader(name, value)
    response.end(request.method === 'HEAD' ? undefined : answer.body)
    return
  }
  applyDecision(request, decision as Decision)
  next()
}

function applyDecision(request: ConnectRequest, decision: Decision): void {
  const { target, edits } = decision
  request.decision = decision
  request.url = target
  // Names come from the policy and the request: a Map-like write, never a lookup of a prototype.
  const put = (name: string, value: string) =>
    Object.defineProperty(request.headers, name.toLowerCase(), {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  for (const name of edits?.remove ?? []) delete request.headers[name]
  for (const [name, value] of edits?.set ?? []) put(name, value)
  if (edits?.cookie === null) delete request.headers['cookie']
  else if (edits?.cookie !== undefined) put('cookie', edits.cookie)
}
