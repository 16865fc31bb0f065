import { percentDecode } from '../expression/index.js'
import { halves } from './halves.js'

/** Cuts spaces and tabs from both ends, the optional whitespace of HTTP (RFC 9110 5.6.3). */
export function trimmed(text: string, from: number = 0): string {
  let start = from
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  const space = 32
  const tab = 9
  return code === space || code === tab
}

/** The pairs of a Cookie header, in order: the name URL-decoded to bytes, the value as sent. */
export function* cookiePairs(header: string): Generator<readonly [name: string, value: string]> {
  for (const part of header.split(';')) {
    const [name, value] = halves(part, '=')
    if (name && value !== null) yield [decoded(name), trimmed(value)]
  }
}

/** The same header without the cookies of these names, the others as sent; null when none is left. */
export function withoutCookies(header: string, names: ReadonlySet<string>): string | null {
  const kept = header.split(';').filter((part) => {
    const [name, value] = halves(part, '=')
    // Without `=` there is no name.
    return value === null || !names.has(decoded(name))
  })
  const text = trimmed(kept.join(';'))
  return text === '' ? null : text
}

function decoded(name: string): string {
  const sent = trimmed(name)
  return sent.includes('%') ? percentDecode(sent) : sent
}
