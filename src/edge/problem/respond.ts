import type { PlainProblem, ProblemContext } from './problem.js'
import { render, type Rendered } from './render.js'

/** The part of a request that decides how an error is answered; any `Request` has it. */
export interface AskingRequest {
  readonly method: string
  readonly headers: Headers
}

/** A rendered answer as a `Response`; HEAD gets the headers alone. */
export function toResponse(rendered: Rendered<PlainProblem>, method: string): Response {
  return new Response(method === 'HEAD' ? null : rendered.body, {
    status: rendered.status,
    headers: rendered.headers.map(([name, value]): [string, string] => [name, value]),
  })
}

/**
 * Answers a request with an edge error. The zone is the request's `Host` unless the context has one.
 *
 * @throws TypeError when the catalogue has no such code.
 */
export function respond(code: number, request: AskingRequest, context: ProblemContext): Response {
  const zone = context.zone ?? request.headers.get('host')
  const rendered = render(code, request.headers.get('accept'), { ...context, zone })
  return toResponse(rendered, request.method)
}
