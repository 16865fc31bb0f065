import { quietRounds } from './quiet-rounds.mjs'
import { median } from './quantile.mjs'

/** Rows of one round were measured within moments of each other: what they differ by counts, not the day. */
const byRound = (combine) => (row, other) =>
  quietRounds(row, other).map((round) => combine(row.rounds[round], other.rounds[round]))

const excesses = byRound((cpu, other) => cpu - other)
const shares = byRound((cpu, other) => cpu / other)

/** CPU µs that a row takes more than another. */
export const excess = (row, other) => median(excesses(row, other))

/** How many times the CPU time of another a row takes. */
export const share = (row, other) => median(shares(row, other))

/** Adds to each row of a table its `ratio`: its share of the first one. */
export const withRatios = (rows) => rows.map((row) => ({ ...row, ratio: share(row, rows[0]) }))

/** Standard deviations of a normal distribution around its middle in which 95 % of it lie. */
const USUAL_DEVIATIONS = 1.96

/**
 * Between what shares the true one lies with 95 %, as far as the rounds can tell: as many are above it as
 * below, as coins fall (the interval of a median by order statistics).
 */
export function shareRange(row, other) {
  const sorted = shares(row, other).toSorted((one, another) => one - another)
  const last = sorted.length - 1
  const reach = Math.min((USUAL_DEVIATIONS * Math.sqrt(sorted.length)) / 2, last / 2)
  return { low: sorted[Math.floor(last / 2 - reach)], high: sorted[Math.ceil(last / 2 + reach)] }
}

/** A share as a page tells it, with what it may be. */
export function shareText(row, other) {
  const { low, high } = shareRange(row, other)
  const [middle, from, to] = [share(row, other), low, high].map((each) => each.toFixed(4))
  return `${middle}x (${from} to ${to})`
}
