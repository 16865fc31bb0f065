import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EdgeErrors } from '../../edge/edge-errors/index.js'
import { refusal } from '../../edge/embed/index.js'
import type { Decision } from '../../edge/index.js'
import type { ProblemContext } from '../../edge/problem/index.js'
import { answer, breakOff, type Answer } from './answer.js'
import { limitRest } from './client-limit.js'
import type { Failure, FailureCode } from './failure.js'
import type { Received } from './received.js'
import type { ProxiedRequest, Settings } from './settings.js'

/** Edge errors that this proxy answers with; 1045 is what it does not support. */
export type EdgeCode = FailureCode | 1045

/** One request and its response while the proxy deals with them. */
export class Call implements ProxiedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly received: Received
  readonly ray: string
  readonly settings: Settings

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    received: Received,
    settings: Settings,
  ) {
    this.request = request
    this.response = response
    this.received = received
    this.settings = settings
    this.ray = settings.nextRay()
  }

  get method(): string {
    return this.received.method
  }

  get host(): string {
    return this.received.host
  }

  get target(): string {
    return this.received.target
  }

  get ip(): string {
    return this.received.ip
  }

  get accept(): string | undefined {
    return this.received.all('accept')
  }

  get via(): (version: string) => string {
    return this.settings.via
  }

  get preserveHost(): boolean {
    return this.settings.preserveHost
  }

  /** Lines added to every answer of upstream. */
  get extra(): readonly string[] | null {
    return this.settings.options.rayOnAll ? ['CF-Ray', this.ray] : null
  }

  /** How the zone of this request answers edge errors. */
  get errors(): EdgeErrors {
    return this.settings.errorsOf(this.host)
  }

  /** What error bodies say of this request. */
  get context(): ProblemContext {
    const { now, options } = this.settings
    const { vendor, footer, typeBase } = options
    return { zone: this.host, rayId: this.ray, now: now(), vendor, footer, typeBase }
  }

  /** The same with the look of the zone. */
  get dressed(): ProblemContext {
    return this.errors.dress(this.context)
  }

  /** Answers without asking upstream. */
  answer(own: Answer): void {
    answer(this.request, this.response, own)
    // It ends together with others, at the end of this turn.
    setImmediate(limitRest, this.response, this.settings.timeouts.client)
  }

  /** Answers with an edge error. */
  fail(code: EdgeCode): void {
    if (!this.response.destroyed) {
      const { errors, received, context } = this
      this.answer(errors.answer({ code, request: received }, context))
    }
  }

  /** Answers a request that the gate blocks. */
  refuse(decision: Decision): void {
    const { accept, context, errors, received } = this
    const own = { errors, request: received }
    this.answer(refusal(decision, accept, context, own))
  }

  /** Deals with a defect on this side: a decision that could not be made is no permission. */
  fault(error: unknown): void {
    this.report({ code: 500, error: error instanceof Error ? error : new Error(String(error)) })
    if (this.response.headersSent) breakOff(this.response)
    else this.fail(500)
  }

  /** Tells the operator. */
  report(failure: Failure): void {
    this.settings.options.onFailure?.(failure, this)
  }
}
