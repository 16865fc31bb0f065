// Line breaks, terminal escapes, halves of surrogate pairs and bidi overrides have no place in a line.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

/** An operator's text as one line that any format can hold once it is escaped. */
export function printable(text: string = ''): string {
  return text.replace(UNPRINTABLE, ' ').trim()
}
