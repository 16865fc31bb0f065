/** Somebody who is let in when there is room. */
export interface Visitor {
  admitted(): void
}

/**
 * Lets so many in at once; the others wait in the order they came and may give up. undici's own
 * queue cannot be left: whoever is gone when the turn comes costs the connection.
 */
export class Turnstile {
  #room: number
  readonly #waiting = new Set<Visitor>()

  constructor(room: number) {
    this.#room = room
  }

  /** True: come in. False: wait for `admitted`. */
  enter(visitor: Visitor): boolean {
    if (this.#room > 0) {
      this.#room--
      return true
    }
    this.#waiting.add(visitor)
    return false
  }

  giveUp(visitor: Visitor): void {
    this.#waiting.delete(visitor)
  }

  /** Makes room for the next one. Call it once for each who came in. */
  leave(): void {
    if (this.#waiting.size === 0) return void this.#room++
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    next.admitted()
  }
}
