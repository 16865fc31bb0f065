import { headerNameAt, type HeaderName } from './header-name.js'

/** The header lines of a request, their names read once. Names that are asked for are in lower case. */
export class HeaderLines {
  /** Names and values in turn, as Node gives them: original case, one character per byte. */
  readonly lines: readonly string[]
  /** What is known of the names: `names[i]` belongs to `lines[2 * i]`. */
  readonly names: readonly HeaderName[]
  /** A bit for each length of a name: of most names that are asked for there is none as long. */
  readonly #lengths: number

  constructor(lines: readonly string[]) {
    this.lines = lines
    const names: HeaderName[] = []
    let lengths = 0
    for (let at = 0; at < lines.length; at += 2) {
      const sent = lines[at] ?? ''
      names.push(headerNameAt(names.length, sent))
      lengths |= 1 << sent.length
    }
    this.names = names
    this.#lengths = lengths
  }

  /** The value of the first line of a name; undefined when there is none. */
  first(name: string): string | undefined {
    const at = this.find(name)
    return at < 0 ? undefined : this.lines[2 * at + 1]
  }

  /** All lines of a name as one value; undefined when there is none. */
  all(name: string, separator = ', '): string | undefined {
    let at = this.find(name)
    let value = at < 0 ? undefined : this.lines[2 * at + 1]
    while (at >= 0 && (at = this.find(name, at + 1)) >= 0) {
      value += separator + (this.lines[2 * at + 1] ?? '')
    }
    return value
  }

  /** Where the first line of a name is, from one on; -1 for none. */
  find(name: string, from = 0): number {
    const { names } = this
    if (((this.#lengths >> name.length) & 1) === 0) return -1
    for (let at = from; at < names.length; at++) if (names[at]!.name === name) return at
    return -1
  }
}
