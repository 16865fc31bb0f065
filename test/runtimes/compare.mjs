/**
 * Keys that the project takes and a runtime does not. Their tokens must be refused there in so many
 * words: by an error at import where that is synchronous, else by the verdict `unavailable`.
 */
export const LIMITS = [
  { runtime: 'deno', keys: /^rsa-(4104|8191|8192)-/, what: 'RSA moduli of more than 4,096 bits' },
  { runtime: 'workerd', keys: /^rsa-\d+-4294967291$/, what: 'RSA exponents but the usual ones' },
]

/** Reads what the suite prints: by door, the verdicts by case id and the time they took. */
export function readVerdicts(printed) {
  const doors = new Map()
  for (const line of printed.split('\n').filter(Boolean)) {
    const [door, ...rest] = JSON.parse(line)
    const known = doors.get(door) ?? { verdicts: new Map(), seconds: NaN }
    doors.set(door, known)
    if (rest.length === 1) known.seconds = rest[0] / 1000
    else known.verdicts.set(...rest)
  }
  return doors
}

/**
 * Compares verdicts with those of the reference, case by case in both directions.
 *
 * @returns `differences` as `{ id, ours, theirs }`, and how many cases the runtime cannot judge for
 *   want of a key
 */
export function compare(reference, verdicts, runtime) {
  const ids = new Set([...reference.keys(), ...verdicts.keys()])
  const differences = []
  let without = 0
  for (const id of ids) {
    const [theirs, ours] = [reference.get(id), verdicts.get(id)]
    if (ours === theirs) continue
    if (isBeyond(id, runtime) && isRefusal(ours)) without++
    else differences.push({ id, ours, theirs })
  }
  return { differences, without }
}

/** Cases of a key set begin with its name. */
function isBeyond(id, runtime) {
  const [first, second] = id.split('/')
  const keys = first === 'keys' ? second : first
  return LIMITS.some((limit) => limit.runtime === runtime && limit.keys.test(keys))
}

const isRefusal = (verdict) =>
  verdict === 'no keys' ||
  verdict?.startsWith('["not importable: ') ||
  verdict?.startsWith('{"status":"unavailable",')

/** Two verdicts cut to the part where they differ. */
export function firstDifference(one = 'nothing', other = 'nothing') {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 40)
  return [one, other].map((text) => (from > 0 ? '…' : '') + text.slice(from, from + 160))
}
