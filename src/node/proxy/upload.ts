import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/**
 * The body of a request as a stream of its own. undici destroys the stream it was given when
 * upstream answers early; were that the message itself, the client's connection would break off
 * and with it the answer.
 */
export class Upload extends Readable {
  /** Upstream would take more than the client has sent. */
  isReading = false
  readonly #message: IncomingMessage
  #started = false

  constructor(message: IncomingMessage) {
    super({ highWaterMark: 64 * 1024 })
    this.#message = message
    // Whoever reads reports errors; without a reader there is nobody to tell.
    this.on('error', () => undefined)
  }

  override _read(): void {
    const message = this.#message
    if (!this.#started) {
      this.#started = true
      message.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose)
    }
    this.isReading = true
    message.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const message = this.#message
    message.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    message.pause()
    this.isReading = false
    done(error)
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.push(chunk)) return
    this.isReading = false
    this.#message.pause()
  }

  readonly #onEnd = (): void => {
    this.isReading = false
    this.push(null)
  }

  readonly #onClose = (): void => {
    if (!this.#message.complete) this.destroy(new Error('the client closed the connection'))
  }
}
