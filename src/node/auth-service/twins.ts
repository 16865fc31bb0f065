import { foldedName, type HeaderEdits } from '../../edge/embed/index.js'

/**
 * Whether a client sent a header that some servers read as another one that is to go: `X_User`
 * beside `X-User`. Proxies that copy headers by name would send it on.
 *
 * @param lines names and values in turn
 */
export function hasTwin({ remove }: HeaderEdits, lines: readonly string[]): boolean {
  const sent = new Set(lines.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()))
  return remove.some((name) => sent.has(name) && remove.some((other) => areTwins(name, other)))
}

const areTwins = (one: string, other: string): boolean =>
  one !== other && foldedName(one) === foldedName(other)
