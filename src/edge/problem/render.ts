import { plainBrand } from './brand.js'
import { describe, describePlain, type PlainKind } from './describe.js'
import { headerList, type Header } from './header-list.js'
import { html } from './html.js'
import { markdown } from './markdown.js'
import { negotiate } from './negotiate.js'
import type { PlainProblem, Problem, ProblemContext } from './problem.js'
import { rayId } from './ray-id.js'

/** An answer as data, for hosts without `Response`. */
export interface Rendered<P extends PlainProblem = Problem> {
  readonly status: number
  /** Names in lower case; `www-authenticate` and the like may repeat. */
  readonly headers: readonly Header[]
  readonly body: string
  readonly problem: P
}

const encoder = /* @__PURE__ */ new TextEncoder()
const scratch = /* @__PURE__ */ new Uint8Array(16_384)

function byteLength(text: string): number {
  // Into a buffer that is there already: a tenth of the cost of a new one.
  const { read, written } = encoder.encodeInto(text, scratch)
  return read === text.length ? written : encoder.encode(text).length
}

function represent<P extends PlainProblem>(
  problem: P,
  ray: string,
  accept: string | null | undefined,
  context: ProblemContext,
): Rendered<P> {
  const { brand = plainBrand } = context
  const type = negotiate(accept)
  const policy = type === 'text/html' ? brand.policy : undefined
  const body =
    policy !== undefined
      ? html(problem, brand)
      : type === 'text/markdown'
        ? markdown(problem)
        : `${JSON.stringify(problem)}\n`
  return {
    status: problem.status,
    headers: headerList(
      problem,
      { type, length: byteLength(body), negotiated: true, policy },
      ray,
      context.headers,
    ),
    body,
    problem,
  }
}

/**
 * The answer to a request that met an edge error, in the representation its `Accept` asks for.
 *
 * @throws TypeError when the catalogue has no such code.
 */
export function render(
  code: number,
  accept: string | null | undefined,
  context: ProblemContext,
): Rendered {
  // No copy of the context with the trace id in it: that alone would cost a third of an answer.
  const ray = rayId(context.rayId, context.random)
  return represent(describe(code, context, ray), ray, accept, context)
}

/** The same for a situation that the catalogue has no code for, such as a path that is not there. */
export function renderPlain(
  kind: PlainKind,
  accept: string | null | undefined,
  context: ProblemContext,
): Rendered<PlainProblem> {
  const ray = rayId(context.rayId, context.random)
  return represent(describePlain(kind, context, ray), ray, accept, context)
}

/** A body of the operator's own for an edge error. */
export interface OwnBody {
  /** Media type without parameters; the text is UTF-8. */
  readonly type: string
  readonly body: (problem: Problem) => string
}

/**
 * The answer to a request that met an edge error, with a body that does not depend on `Accept`:
 * status and header lines are those of the error, and nothing varies.
 *
 * @throws TypeError when the catalogue has no such code.
 */
export function renderOwn(code: number, own: OwnBody, context: ProblemContext): Rendered {
  const ray = rayId(context.rayId, context.random)
  const problem = describe(code, context, ray)
  const body = own.body(problem)
  const facts = { type: own.type, length: byteLength(body), negotiated: false }
  return {
    status: problem.status,
    headers: headerList(problem, facts, ray, context.headers),
    body,
    problem,
  }
}
