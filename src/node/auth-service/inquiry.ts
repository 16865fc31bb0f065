import type { IncomingMessage, ServerResponse } from 'node:http'
import { plainEdgeErrors, type EdgeErrors } from '../../edge/edge-errors/index.js'
import { headerEdits, refusal } from '../../edge/embed/index.js'
import type { Decision } from '../../edge/index.js'
import { percentDecode } from '../../edge/expression/index.js'
import { errorPage, isErrorPage, type ProblemContext } from '../../edge/problem/index.js'
import { answer, type Answer } from '../proxy/index.js'
import type { AuthServiceOptions } from './auth-service.js'
import { PAGE_HEADER, type Dialect } from './dialect.js'
import { editLines } from './edit-lines.js'
import type { Question } from './question.js'

/** One question of a proxy while it is answered. */
export class Inquiry {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #question: Question
  readonly #dialect: Dialect
  readonly #options: AuthServiceOptions
  readonly #now: number

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    question: Question,
    dialect: Dialect,
    options: AuthServiceOptions,
  ) {
    this.#request = request
    this.#response = response
    this.#question = question
    this.#dialect = dialect
    this.#options = options
    this.#now = (options.now ?? Date.now)()
  }

  run(): void {
    const { target, method } = this.#question
    const dressed = () => this.#errors.dress(this.#context)
    const page = isErrorPage(target) && errorPage(target, method, this.#accept, dressed())
    if (page) return this.#refuse(page)
    try {
      const decision = this.#options.gate.decide(this.#question)
      if (!(decision instanceof Promise)) return this.#conclude(decision)
      decision.then((known) => this.#conclude(known)).catch((error: unknown) => this.#fault(error))
    } catch (error) {
      this.#fault(error)
    }
  }

  #conclude(decision: Decision): void {
    this.#options.onDecision?.(decision, this.#question)
    if (decision.action === 'block') return this.#refuse(this.#refusal(decision))
    if (!isAsAsked(decision, this.#question)) return this.#fail(1020, 400)
    // What was refused may pass a moment later, yet this answer would be all the client gets.
    if (this.#wantsPage) return this.#fail(1020)
    const lines = editLines(headerEdits(decision), this.#dialect)
    this.#response.writeHead(200, [...lines, 'Content-Length', '0']).end()
  }

  #refusal(decision: Decision): Answer {
    const own = { errors: this.#errors, request: this.#question }
    return refusal(decision, this.#accept, this.#context, own)
  }

  #refuse(refused: Answer): void {
    const { statuses } = this.#dialect
    const sayable = statuses === undefined || statuses.has(refused.status) || this.#wantsPage
    const status = sayable ? refused.status : 403
    answer(this.#request, this.#response, { ...refused, status })
  }

  /** A defect on this side is no permission. */
  #fault(error: unknown): void {
    const { onFault } = this.#options
    onFault?.(error instanceof Error ? error : new Error(String(error)), this.#question.ip)
    if (this.#response.headersSent) this.#response.destroy()
    else this.#fail(500)
  }

  #fail(code: number, status?: number): void {
    const met = { code, request: this.#question }
    this.#refuse(this.#errors.answer(met, { ...this.#context, status }))
  }

  get #errors(): EdgeErrors {
    return this.#options.errorsOf?.(this.#question.host) ?? plainEdgeErrors
  }

  get #wantsPage(): boolean {
    return this.#dialect.statuses !== undefined && this.#question.all(PAGE_HEADER) === 'page'
  }

  get #accept(): string | undefined {
    return this.#question.all('accept')
  }

  get #context(): ProblemContext {
    const { host, ray } = this.#question
    return { ...this.#options.problem, zone: host, rayId: ray, now: this.#now }
  }
}

/** The proxy sends on what it has: only what reads the same may differ from what was judged. */
const isAsAsked = ({ target: judged }: Decision, { target: asked }: Question): boolean =>
  judged === asked || percentDecode(judged) === percentDecode(asked)
