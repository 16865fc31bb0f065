/** Why a document was not read to its end. */
export type ReadingFault = 'slow' | 'large' | 'busy'

const TEXTS: Readonly<Record<ReadingFault, string>> = {
  slow: 'reading the document takes too long',
  large: 'reading the document takes too much memory',
  busy: 'too many documents are waiting to be read; try again later',
}

/** A document that nobody finished reading: it costs too much, or too many others come first. */
export class ReadingError extends Error {
  override readonly name = 'ReadingError'
  readonly code: ReadingFault

  constructor(code: ReadingFault) {
    super(TEXTS[code])
    this.code = code
  }
}
