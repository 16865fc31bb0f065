import { plainEdgeErrors, type EdgeErrors } from '../../edge/edge-errors/index.js'
import { headerEdits, refusal, type HeaderEdits } from '../../edge/embed/index.js'
import type { Decision } from '../../edge/index.js'
import { percentDecode } from '../../edge/expression/index.js'
import { errorPage, isErrorPage, type ProblemContext } from '../../edge/problem/index.js'
import type { Answer } from '../proxy/index.js'
import type { AuthServiceOptions } from './auth-service.js'
import { PAGE_HEADER, type Dialect } from './dialect.js'
import type { Question } from './question.js'

/** Whoever asked, and how that one is told. */
export interface Asker {
  /**
   * The client's request may pass, changed like this on its way upstream. False when the protocol
   * has no words for the change: then it is refused.
   */
  pass(edits: HeaderEdits | null): boolean
  /** It may not, and this is what the client gets. Also called when `pass` failed. */
  refuse(refused: Answer): void
}

/** What an inquiry needs to know of the service that it is part of. */
export type InquiryOptions = Omit<AuthServiceOptions, 'dialect' | 'trustForwarded' | 'random'>

/** One question of a proxy while it is answered. */
export class Inquiry {
  readonly #asker: Asker
  readonly #question: Question
  readonly #dialect: Dialect
  readonly #options: InquiryOptions
  readonly #now: number

  constructor(asker: Asker, question: Question, dialect: Dialect, options: InquiryOptions) {
    this.#asker = asker
    this.#question = question
    this.#dialect = dialect
    this.#options = options
    this.#now = (options.now ?? Date.now)()
  }

  run(): void {
    const { target, method } = this.#question
    const dressed = () => this.#errors.dress(this.#context)
    // Whole, as the length says: only who carries the answer knows whether a body goes with it.
    const asked = method === 'HEAD' ? 'GET' : method
    const page = isErrorPage(target) && errorPage(target, asked, this.#accept, dressed())
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
    if (!this.#asker.pass(headerEdits(decision))) this.#fail(1020, 400)
  }

  #refusal(decision: Decision): Answer {
    const own = { errors: this.#errors, request: this.#question }
    return refusal(decision, this.#accept, this.#context, own)
  }

  #refuse(refused: Answer): void {
    const { statuses } = this.#dialect
    const sayable = statuses === undefined || statuses.has(refused.status) || this.#wantsPage
    this.#asker.refuse(sayable ? refused : { ...refused, status: 403 })
  }

  /** A defect on this side is no permission. */
  #fault(error: unknown): void {
    const { onFault } = this.#options
    onFault?.(error instanceof Error ? error : new Error(String(error)), this.#question.ip)
    this.#fail(500)
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
