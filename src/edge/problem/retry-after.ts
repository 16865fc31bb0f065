const MAX_SECONDS = 31_536_000
const DIGITS = /^[0-9]{1,8}$/
// The three forms of RFC 9110 5.6.7: IMF-fixdate, RFC 850, asctime.
const DAY_FIRST =
  /^[A-Z][a-z]{2,8}, (\d\d)[ -]([A-Z][a-z]{2})[ -](\d{4}|\d\d) (\d\d:\d\d:\d\d) GMT$/
const ASCTIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/

function parseHttpDate(text: string, now: number): number | undefined {
  const [, firstDay, firstMonth, firstYear, firstTime] = DAY_FIRST.exec(text) ?? []
  const [, month = firstMonth, day = firstDay, time = firstTime, fullYear] =
    ASCTIME.exec(text) ?? []
  if (day === undefined) return undefined
  let year = Number(fullYear ?? firstYear)
  if (year < 100) {
    // RFC 9110: a two-digit year more than 50 years ahead is the most recent one in the past.
    const thisYear = new Date(now).getUTCFullYear()
    year += thisYear - (thisYear % 100)
    if (year > thisYear + 50) year -= 100
  }
  const at = Date.parse(`${Number(day)} ${month} ${year} ${time} GMT`)
  // Engines roll 31 Feb over into March: such a date is no date.
  return new Date(at).getUTCDate() === Number(day) ? at : undefined
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
  if (value === null || value === undefined) return undefined
  const text = String(value).trim()
  if (DIGITS.test(text)) return Number(text) <= MAX_SECONDS ? Number(text) : undefined
  const at = typeof value === 'string' && text.length < 40 ? parseHttpDate(text, now) : undefined
  if (at === undefined) return undefined
  const seconds = Math.max(0, Math.ceil((at - now) / 1000))
  return seconds <= MAX_SECONDS ? seconds : undefined
}
