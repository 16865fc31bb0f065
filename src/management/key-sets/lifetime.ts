const SECOND = 1000
const SHORTEST = 60 * SECOND
const LONGEST = 24 * 3600 * SECOND
const USUAL = 10 * 60 * SECOND

/**
 * How long (ms) an answer may be taken for fresh: `max-age` less `Age`, or else `Expires` (RFC 9111,
 * 4.2.1), within a minute and a day; ten minutes where nothing is said. An issuer can neither make us
 * ask all the time nor keep us from asking.
 */
export function lifetimeOf(headers: Pick<Headers, 'get'>, now: number): number {
  const said = saidBy(headers, now)
  return said === undefined ? USUAL : Math.min(LONGEST, Math.max(SHORTEST, said))
}

function saidBy(headers: Pick<Headers, 'get'>, now: number): number | undefined {
  const directives = (headers.get('cache-control') ?? '')
    .split(',')
    .map((directive) => directive.trim().toLowerCase())
  if (directives.includes('no-store') || directives.includes('no-cache')) return 0
  const age = seconds(headers.get('age') ?? '0') ?? 0
  for (const directive of directives) {
    const [, digits] = /^max-age="?(\d{1,12})"?$/.exec(directive) ?? []
    if (digits !== undefined) return (Number(digits) - age) * SECOND
  }
  const expires = headers.get('expires')
  if (expires === null) return undefined
  // A date that is none means: in the past (RFC 9111, 5.3).
  const until = Date.parse(expires)
  const sent = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(until) ? 0 : until - (Number.isNaN(sent) ? now : sent) - age * SECOND
}

const seconds = (text: string): number | undefined =>
  /^\d{1,12}$/.test(text) ? Number(text) : undefined
