/** Somebody who is let in when there is room. */
export interface Visitor {
  admitted(): void
  /** No room came in time. */
  turnedAway(): void
}

/**
 * Lets so many in at once; the others wait in the order they came, for a limited time, and may give
 * up. undici's own queue cannot be left: whoever is gone when the turn comes costs the connection.
 */
export class Turnstile {
  #room: number
  readonly #limit: number
  readonly #waiting = new Map<Visitor, NodeJS.Timeout>()

  /** @param limit milliseconds that anybody waits at most */
  constructor(room: number, limit: number) {
    this.#room = room
    this.#limit = limit
  }

  /** True: come in. False: wait for `admitted` or `turnedAway`. */
  enter(visitor: Visitor): boolean {
    if (this.#room > 0) {
      this.#room--
      return true
    }
    const timer = setTimeout(() => {
      this.giveUp(visitor)
      visitor.turnedAway()
    }, this.#limit)
    this.#waiting.set(visitor, timer)
    return false
  }

  /** Does nothing where the visitor does not wait. */
  giveUp(visitor: Visitor): void {
    clearTimeout(this.#waiting.get(visitor))
    this.#waiting.delete(visitor)
  }

  /** Makes room for the next one. Call it once for each who came in. */
  leave(): void {
    if (this.#waiting.size === 0) return void this.#room++
    const [next] = this.#waiting.keys()
    if (next === undefined) return
    this.giveUp(next)
    next.admitted()
  }
}
