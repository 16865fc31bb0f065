import type { Call } from './call.js'
import { limitClient } from './client-limit.js'
import type { Upload } from './upload.js'

/**
 * How an exchange keeps to what its client sends and reads, from when the client may keep upstream
 * waiting: most never do. Upstream pauses while the client does not read.
 */
export class ClientPace {
  #paused = false
  readonly #goOn: () => void

  /**
   * @param body what the client sends
   * @param goOn reads from upstream again
   * @param onStalled called once, when the client keeps upstream waiting beyond its limit
   */
  constructor(call: Call, body: Upload | null, goOn: () => void, onStalled: () => void) {
    const { response, settings } = call
    this.#goOn = goOn
    response.on('drain', () => process.nextTick(drained, this))
    const isWaited = () => this.#paused || response.writableEnded || body?.isReading === true
    limitClient(response, settings.timeouts.client, isWaited, onStalled)
  }

  pause(): void {
    this.#paused = true
  }

  /** The connection may carry another exchange by now, which is none of this one's business. */
  drained(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#goOn()
  }
}

// Not at once: Node says it in the midst of writing a pipelined answer, which undici is reading then.
const drained = (pace: ClientPace): void => pace.drained()
