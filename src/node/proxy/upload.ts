import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/**
 * The body of a request as a stream of its own. undici destroys the stream it was given when
 * upstream answers early; were that the message itself, the client's connection would break off
 * and with it the answer.
 */
export class Upload extends Readable {
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
    message.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const message = this.#message
    message.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    message.pause()
    done(error)
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.push(chunk)) this.#message.pause()
  }

  readonly #onEnd = (): void => {
    this.push(null)
  }

  readonly #onClose = (): void => {
    if (!this.#message.complete) this.destroy(new Error('the client closed the connection'))
  }
}
