/** The pairs of a Cookie header, in order: name and value as sent. A part without `=` is skipped. */
export function* cookiePairs(header: string): Generator<readonly [string, string]> {
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0) yield [part.slice(0, equals).trim(), part.slice(equals + 1).trim()]
  }
}

/** Cookie names are compared URL-decoded; one that does not decode stands for itself. */
export function cookieName(sent: string): string {
  if (!sent.includes('%')) return sent
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent
  }
}
