const rounds = Number(process.env.BENCH_ROUNDS ?? 13)

/**
 * How much is measured, for suites in processes of their own: the environment carries it.
 *
 * @property rounds in which candidates take turns
 * @property sampleMs milliseconds of one candidate in one round
 * @property waits whether turns wait for a quiet moment
 * @property smoke whether results only have to be right, not exact
 */
export const EFFORT = {
  rounds,
  sampleMs: Number(process.env.BENCH_SAMPLE_MS ?? 20),
  waits: process.env.BENCH_WAITS !== 'no',
  smoke: rounds === 1,
}

/** Where candidates differ by a thousandth, most of what they do being the same. */
export const MORE_ROUNDS = EFFORT.smoke ? 1 : 6 * rounds

/** Variables that make a process measure as little as possible. */
export const SMOKE = { BENCH_ROUNDS: '1', BENCH_SAMPLE_MS: '2' }

/** Enough where figures are told and none of them is held against a bound. */
export const LESS = { BENCH_ROUNDS: '5', BENCH_SAMPLE_MS: '15', BENCH_WAITS: 'no' }
