import type { EdgeErrors } from '../edge-errors/index.js'
import type { Decision, Gate, GateRequest } from '../gate/index.js'
import {
  errorPage,
  isErrorPage,
  type PlainProblem,
  type ProblemContext,
  type Rendered,
} from '../problem/index.js'
import { refusal } from './refusal.js'

/** What every embedding takes. `Asked` is the host's own kind of request. */
export interface EmbedOptions<Asked> {
  /** Told of every decision, before the request goes on. */
  readonly onDecision?: (decision: Decision, request: Asked) => void
  /** Address of the client; by default what the host itself knows of it. */
  readonly ip?: (request: Asked) => string | undefined
  /** The zone's own answers to edge errors, of `portcullis/errors`; by default all are negotiated. */
  readonly errors?: EdgeErrors
  /** Milliseconds since the epoch, for error bodies. Default `Date.now`. */
  readonly now?: () => number
  /** Name, footer and links of error bodies. */
  readonly problem?: Pick<ProblemContext, 'vendor' | 'footer' | 'typeBase' | 'random'>
}

/** A request that may go on has a decision, one that may not an answer; an error page has no decision. */
export interface Admission {
  readonly decision: Decision | null
  readonly answer: Rendered<PlainProblem> | null
}

/** Serves the error pages, decides the rest. A promise only where the gate gives one. */
export function admit<Asked>(
  gate: Gate,
  request: GateRequest,
  asked: Asked,
  { onDecision, errors, now = Date.now, problem }: EmbedOptions<Asked>,
): Admission | Promise<Admission> {
  const accept = request.header('accept')
  const context: ProblemContext = { ...problem, zone: request.host, now: now() }
  const { target, method } = request
  const page =
    isErrorPage(target) && errorPage(target, method, accept, errors?.dress(context) ?? context)
  if (page) return { decision: null, answer: page }
  const conclude = (decision: Decision): Admission => {
    onDecision?.(decision, asked)
    const own = errors && { errors, request }
    const answer = decision.action === 'block' ? refusal(decision, accept, context, own) : null
    return { decision, answer }
  }
  const decision = gate.decide(request)
  return decision instanceof Promise ? decision.then(conclude) : conclude(decision)
}
