/** What the API page says about the code of a message. */
export interface CodeNote {
  readonly title: string
  /** With which statuses it comes; 200 means that a call went well all the same. */
  readonly statuses: readonly number[]
  /** What the code means. */
  readonly meaning: string
  /** What was expected, or what would have been fine. */
  readonly expected: string
  /** What to do. */
  readonly remedy: string
}

/** A note with the code that it is about. */
export interface DocumentedCode extends CodeNote {
  readonly code: number
}

/** Codes of an area with what there is to say about them. */
export interface CodeChapter {
  readonly title: string
  readonly codes: readonly DocumentedCode[]
}

/** Puts a table of codes and the notes on each together: no code without a note. */
export function codeChapter<Name extends string>(
  title: string,
  codes: Readonly<Record<Name, number>>,
  notes: Readonly<Record<Name, CodeNote>>,
): CodeChapter {
  const names = Object.keys(codes) as Name[]
  const documented = names.map((name) => ({ code: codes[name], ...notes[name] }))
  return { title, codes: documented.toSorted((one, other) => one.code - other.code) }
}
