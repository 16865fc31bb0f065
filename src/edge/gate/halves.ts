/** A text around the first of a mark; without one there is no second half. */
export function halves(text: string, mark: string): readonly [string, string | null] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)]
}
