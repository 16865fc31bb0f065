import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { breakOff, refuseBare } from './answer.js'
import type { Call } from './call.js'
import { limitRest } from './client-limit.js'
import { ClientPace } from './client-pace.js'
import { failureCode, wasLost } from './failure.js'
import { discardRest } from './leftover.js'
import type { Origin } from './origins.js'
import { responseLines, trailerLines, type Listing } from './response-lines.js'
import { flushHead, startResponse, writeFirst } from './start-response.js'
import type { Visitor } from './turnstile.js'
import type { Upload } from './upload.js'

/** What goes upstream. */
export interface Outgoing {
  readonly method: string
  readonly target: string
  readonly lines: string[]
  readonly body: Upload | null
}

// Safe methods (RFC 9110 section 9.2.1): asking twice does no more than asking once.
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

const BODILESS: ReadonlySet<number> = new Set([204, 304])

type Abort = (reason?: Error) => void

class QueueTimeout extends Error {
  override readonly name = 'QueueTimeout'
  readonly code = 'QUEUE_TIMEOUT'
}

class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * One request on its way upstream and its answer on the way back, streamed both ways: each side
 * reads only as fast as the other one takes it, and who leaves makes the other one leave. A safe
 * request without a body whose connection broke is asked once more, on a new connection: upstream
 * may close a kept-alive one at any time.
 *
 * undici calls it by the names that its own connections use. The wrapper for the newer names parses
 * each head and all trailers to objects, which costs a microsecond and which nobody would read.
 */
export class Exchange implements Dispatcher.DispatchHandler, Visitor, Listing {
  listed: ReadonlySet<string> | undefined
  readonly #call: Call
  readonly #response: ServerResponse
  readonly #origin: Origin
  readonly #outgoing: Outgoing
  #abort: Abort | undefined
  #resume: (() => void) | undefined
  #pace: ClientPace | undefined
  #inside = false
  #retried = false
  #bodyBegun = false
  /** Set when there is nobody left to answer. */
  #over = false

  constructor(call: Call, origin: Origin, outgoing: Outgoing) {
    this.#call = call
    this.#response = call.response
    this.#origin = origin
    this.#outgoing = outgoing
  }

  start(): void {
    if (this.#response.destroyed) return
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) this.#leave(new ClientGone())
    })
    if (this.#outgoing.body !== null) this.#mindClient()
    if (this.#origin.turnstile.enter(this)) this.admitted()
  }

  turnedAway(): void {
    this.#fail(new QueueTimeout('no connection to the origin became free in time'))
  }

  admitted(): void {
    this.#inside = true
    const { pool } = this.#origin
    // The zone moved to another origin while this request waited.
    if (pool.closed) this.#dispatchOnce()
    else this.#dispatch(pool)
  }

  #dispatchOnce(): void {
    const client = this.#origin.once()
    this.#dispatch(client)
    void client.close()
  }

  #dispatch(by: Dispatcher): void {
    const { method, target, lines, body } = this.#outgoing
    // Without a name of its own each Host would make undici start a new connection.
    const servername = this.#origin.url.hostname
    const options = { method, path: target, headers: lines, body, servername }
    by.dispatch(options as Dispatcher.DispatchOptions, this)
  }

  onConnect(abort: Abort): void {
    this.#abort = abort
    if (this.#over) abort(new ClientGone())
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, reason: string): boolean {
    // Informational answers (RFC 9110 section 15.2) are of the connection to upstream.
    if (status < 200) return true
    this.#resume = resume
    const { extra } = this.#call
    const lines = responseLines(raw, this)
    startResponse(this.#response, status, reason, extra === null ? lines : [...lines, ...extra])
    // undici takes the Content-Length of a 304 for a body that is missing.
    if (BODILESS.has(status)) this.#end()
    // Node keeps a head back until there is a body; most bodies are here before the next tick.
    else process.nextTick(flush, this)
    return true
  }

  flush(): void {
    if (!this.#bodyBegun) flushHead(this.#response)
  }

  /** False: not more than this for now. */
  onData(chunk: Buffer): boolean {
    const mayWrite = this.#bodyBegun
      ? this.#response.write(chunk)
      : writeFirst(this.#response, chunk)
    this.#bodyBegun = true
    if (mayWrite) return true
    this.#mindClient().pause()
    return false
  }

  #mindClient(): ClientPace {
    return (this.#pace ??= new ClientPace(
      this.#call,
      this.#outgoing.body,
      () => this.#resume?.(),
      () => this.#cut(),
    ))
  }

  /** The client does not send what it announced, or does not read what it asked for. */
  #cut(): void {
    this.#leave(new ClientGone())
    if (this.#response.headersSent) breakOff(this.#response)
    else refuseBare(this.#response, 408)
  }

  onComplete(trailers: readonly (string | Buffer)[] | null): void {
    const response = this.#response
    this.#bodyBegun = true
    if (trailers?.length && response.chunkedEncoding && !response.writableEnded)
      response.addTrailers(trailerLines(trailers, this))
    this.#exit()
    this.#end()
  }

  #end(): void {
    const { body } = this.#outgoing
    if (body !== null) {
      // First: a body that ends later would pause the request under the one who discards its rest.
      body.destroy()
      this.#call.request.resume()
      discardRest(this.#call.request, this.#response)
    }
    this.#response.end()
    if (this.#pace === undefined) limitRest(this.#response, this.#call.settings.timeouts.client)
  }

  onError(error: Error): void {
    if (this.#over) return
    if (this.#response.writableEnded) return this.#exit()
    if (this.#response.headersSent || !this.#mayRetry(error)) return this.#fail(error)
    this.#retried = true
    this.#abort = undefined
    return this.#dispatchOnce()
  }

  #mayRetry(error: Error): boolean {
    const { method, body } = this.#outgoing
    const started = this.#abort !== undefined
    return !this.#retried && started && body === null && SAFE.has(method) && wasLost(error)
  }

  #fail(error: Error): void {
    const failure = { code: failureCode(error), error }
    this.#leave(error)
    if (this.#response.destroyed || isGone(this.#call.request)) return
    this.#call.report(failure)
    if (this.#response.headersSent) breakOff(this.#response)
    else this.#call.fail(failure.code)
  }

  #leave(reason: Error): void {
    this.#over = true
    this.#origin.turnstile.giveUp(this)
    this.#exit()
    this.#outgoing.body?.destroy()
    this.#abort?.(reason)
  }

  #exit(): void {
    if (!this.#inside) return
    this.#inside = false
    this.#origin.turnstile.leave()
  }
}

/** True when the client broke off in the middle of its request. */
const isGone = ({ destroyed, complete }: IncomingMessage): boolean => destroyed && !complete

const flush = (exchange: Exchange): void => exchange.flush()
