import { median } from '../measure/quantile.mjs'

/** Rows of one round were measured within moments of each other: what they differ by counts, not the day. */
const byRound = (combine) => (row, other) =>
  median(row.rounds.map((cpu, round) => combine(cpu, other.rounds[round])))

/** CPU µs that a row takes more than another. */
export const excess = byRound((cpu, other) => cpu - other)

/** How many times the CPU time of another a row takes. */
export const share = byRound((cpu, other) => cpu / other)
