const MAX_SECONDS = 31_536_000
const DIGITS = /^[0-9]{1,8}$/

/** Epoch milliseconds of an HTTP date (RFC 9110 5.6.7, all three forms), NaN for anything else. */
function parseHttpDate(text: string): number {
  const fixed = text
    // RFC 850. Its year has two digits: a time to wait for is in this century.
    .replace(/^(\w{3})\w*, (\d\d)-(\w{3})-(\d\d) /, '$1, $2 $3 20$4 ')
    // asctime
    .replace(/^(\w{3}) (\w{3}) (..) (\S{8}) (\d{4})$/, '$1, $3 $2 $5 $4 GMT')
    .replace(',  ', ', 0')
  const at = Date.parse(fixed)
  // What an engine reads more freely than the RFC does not come back as it went in.
  return new Date(at).toUTCString() === fixed ? at : Number.NaN
}

/**
 * Seconds of a `Retry-After` that someone already set: a number, digits, or an HTTP date (rounded
 * up, never below 0). Undefined for anything else and beyond a year, so that the default holds.
 *
 * @param now epoch milliseconds
 */
export function retrySeconds(
  value: string | number | null | undefined,
  now: number,
): number | undefined {
  const text = String(value ?? '').trim()
  const seconds = DIGITS.test(text)
    ? Number(text)
    : text.length < 40
      ? Math.max(0, Math.ceil((parseHttpDate(text) - now) / 1000))
      : Number.NaN
  return seconds <= MAX_SECONDS ? seconds : undefined
}
