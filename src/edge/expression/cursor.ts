/** A place in a text: the offsets of its first character and of the one after its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text and how far it was read. */
export class Cursor {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Whether a sticky pattern matches here. */
  sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    return pattern.test(this.text)
  }

  /** Matches a sticky pattern and moves over it. */
  match(pattern: RegExp): RegExpExecArray | [] {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text) ?? []
    this.at += match[0]?.length ?? 0
    return match
  }

  /** Moves over a spelling when it stands here. */
  eat(spelling: string): boolean {
    const found = this.text.startsWith(spelling, this.at)
    if (found) this.at += spelling.length
    return found
  }

  /** What was read from an offset on. */
  from(start: number): Span {
    return { start, end: this.at }
  }
}
