/** Stands between entries where many are one text. No id has it. */
export const BETWEEN = '\n'

interface Piece {
  readonly text: string
  /** Where each entry ends. */
  readonly ends: Uint32Array
}

/**
 * Texts in their order, packed: a hundred thousand ids are a few large objects that the garbage
 * collector need not look into.
 */
export class Entries {
  /** In their order, each more than twice as long as the next: so they are few. */
  readonly #pieces: readonly Piece[]

  private constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
  }

  /** Of a text with `BETWEEN` between the entries; `''` for none. */
  static of(text: string): Entries {
    return new Entries(text === '' ? [] : [piece(text)])
  }

  static from(entries: readonly string[]): Entries {
    return Entries.of(entries.join(BETWEEN))
  }

  get length(): number {
    return this.#pieces.reduce((sum, { ends }) => sum + ends.length, 0)
  }

  /** Bytes in memory, if the texts are ASCII. */
  get size(): number {
    return this.#pieces.reduce((sum, { text, ends }) => sum + text.length + ends.byteLength, 0)
  }

  /** The same with more, in such a text, after them. */
  with(more: string): Entries {
    if (more === '') return this
    const pieces = [...this.#pieces]
    let last = piece(more)
    for (let before = pieces.at(-1); before !== undefined; before = pieces.at(-1)) {
      if (before.ends.length > 2 * last.ends.length) break
      last = piece(before.text + BETWEEN + last.text)
      pieces.pop()
    }
    return new Entries([...pieces, last])
  }

  /** @throws {RangeError} when there is none of this number, counted from 0. */
  at(number: number): string {
    let rest = number
    for (const { text, ends } of this.#pieces) {
      if (rest < ends.length)
        return text.slice(rest === 0 ? 0 : ends[rest - 1]! + BETWEEN.length, ends[rest])
      rest -= ends.length
    }
    throw new RangeError(`no entry has the number ${number}`)
  }

  /** Entries from a number on, so many of them. */
  slice(from: number, many: number): readonly string[] {
    return Array.from({ length: many }, (_, at) => this.at(from + at))
  }

  /** How many entries are before a text, of entries in the order of code units. */
  rank(text: string): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.at(middle) < text) low = middle + 1
      else high = middle
    }
    return low
  }
}

function piece(text: string): Piece {
  const ends: number[] = []
  for (let at = text.indexOf(BETWEEN); at >= 0; at = text.indexOf(BETWEEN, at + 1)) ends.push(at)
  ends.push(text.length)
  return { text, ends: Uint32Array.from(ends) }
}
