import { withRatios } from './compare-rows.mjs'
import { EFFORT } from './effort.mjs'
import { printRows } from './print-rows.mjs'
import { mean, median, quantile } from './quantile.mjs'
import { shuffled } from './shuffled.mjs'
import { isQuiet, MORE_TRIES, waitForQuiet } from './quiet.mjs'
import { quietRounds } from './quiet-rounds.mjs'

/** Of CPU time, since on a busy machine other time says little of how much was done. */
const WARM_US = 4 * EFFORT.sampleMs * 1000
/** Compilers count calls: what takes longer is run for longer, up to a bound. */
const WARM_CALLS = EFFORT.smoke ? 0 : 20_000
const MAX_WARM_US = 5 * WARM_US
/** Of a sample: the shorter they are, the more of them are quiet from their beginning to their end. */
const PARTS = EFFORT.smoke ? 1 : 8
/** Calls of each part that do not count, times those that do: the one before had other things in the core's caches. */
const LEAD = 0.5

const isCold = (calls, us) => us < WARM_US || (calls < WARM_CALLS && us < MAX_WARM_US)

/**
 * Measures candidates beside each other on a busy machine: each round runs a sample of every candidate,
 * part by part in turns and in shuffled order, and the median over rounds of the process's CPU time per
 * operation is what counts. Of a round only the quiet parts count, and of all rounds those that have some.
 * Wall time stands beside it. A ratio is against the first candidate, round by round.
 *
 * A candidate is `{ name, kind?, run(i), verify?(result) }`; `run` gets a counter so that it can pick
 * a fresh input, and may be async. `verify` throws when a result is not what it should be. Work in
 * another process comes as `{ name, kind?, sample(size) }`, which gives `{ cpu, wall }`: microseconds
 * of an operation. The kind is `ours`, `peer`, `floor` (the least that anyone can do) or `harness`.
 *
 * @param rounds more than usual where candidates differ by little
 * @returns rows `{ group, name, kind, cpu_us, wall_us, wall_p10_us, ratio, rounds, quiet }`, where
 *   `rounds` has the CPU time of every round and `quiet` whether it was measured in quiet moments
 */
export async function measure(group, candidates, rounds = EFFORT.rounds) {
  const subjects = []
  for (const candidate of candidates) {
    const isElsewhere = candidate.sample !== undefined
    const sample = candidate.sample ?? (await samplerOf(candidate))
    const parts = isElsewhere ? 1 : PARTS
    const size = Math.ceil((await sizeFor(sample, isElsewhere ? 256 : 16)) / parts)
    const measured = { rounds: [], wall: [], quiet: [] }
    subjects.push({ ...candidate, isElsewhere, sample, parts, size, ...measured })
  }
  for (let round = 0; round < rounds; round++)
    for (const [subject, samples] of await takeTurns(subjects)) keepRound(subject, samples)
  const rows = withRatios(subjects.map((subject) => rowOf(group, subject)))
  printRows(group, rows)
  return rows
}

/** Of a round the quiet parts, where it has any. */
function keepRound(subject, samples) {
  const quiet = samples.filter(({ isQuiet: was }) => was)
  const counted = quiet.length > 0 ? quiet : samples
  subject.rounds.push(mean(counted.map(({ cpu }) => cpu)))
  subject.wall.push(mean(counted.map(({ wall }) => wall)))
  subject.quiet.push(quiet.length > 0)
}

/** The median of the rounds that count. */
const typical = (subject, values) => median(quietRounds(subject).map((round) => values[round]))

function rowOf(group, subject) {
  const { name, kind, rounds, wall, quiet } = subject
  return {
    group,
    name,
    kind,
    cpu_us: typical(subject, rounds),
    wall_us: typical(subject, wall),
    wall_p10_us: quantile(wall, 0.1),
    rounds,
    quiet,
  }
}

/** One round: what each subject took, part by part. */
async function takeTurns(subjects) {
  const taken = new Map(subjects.map((subject) => [subject, []]))
  for (let part = 0; part < PARTS; part++) {
    for (const subject of shuffled(subjects.filter(({ parts }) => part < parts))) {
      const { isElsewhere, sample, size } = subject
      const wasQuiet = waitForQuiet(isElsewhere ? MORE_TRIES : undefined)
      await sample(Math.ceil(size * LEAD))
      const took = await sample(size)
      // Of another process: it has a core of its own, of which no probe here can tell.
      taken.get(subject).push({ ...took, isQuiet: isElsewhere || (wasQuiet && isQuiet()) })
    }
  }
  return taken
}

/** Finds out whether a candidate answers later, and rightly; gives what measures a batch of it. */
async function samplerOf({ run, verify }) {
  const { isAsync, calls } = await warm(run, verify)
  // Inputs go on in turn: those of the last calls may be remembered.
  let counter = calls
  return async (size) => {
    const first = counter
    counter += size
    const wallStart = performance.now()
    const cpuStart = process.cpuUsage()
    if (isAsync) for (let i = first; i < first + size; i++) await run(i)
    else for (let i = first; i < first + size; i++) run(i)
    const cpu = cpuSince(cpuStart) / size
    return { cpu, wall: ((performance.now() - wallStart) * 1000) / size }
  }
}

function cpuSince(start) {
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/**
 * How many operations take as long as a sample should. Asking another process costs time by itself,
 * so the estimate grows until the operations outweigh it.
 */
async function sizeFor(sample, least) {
  for (let size = least; ;) {
    const { wall } = await sample(size)
    const wanted = Math.max(least, Math.ceil((EFFORT.sampleMs * 1000) / wall))
    if (wanted <= 4 * size) return wanted
    size *= 4
  }
}

/** Runs a candidate until the compiler has seen enough of it; tells after how many calls, and whether it answers later. */
async function warm(run, verify) {
  let isAsync = false
  const start = process.cpuUsage()
  let calls = 0
  for (; calls % 16 > 0 || isCold(calls, cpuSince(start)); calls++) {
    let result = run(calls)
    if (typeof result?.then === 'function') {
      isAsync = true
      result = await result
    }
    verify?.(result)
  }
  return { isAsync, calls }
}

/** The same for work in another process. */
export async function warmUp({ sample }) {
  const size = 256
  for (let calls = 0, us = 0; isCold(calls, us); calls += size)
    us += size * (await sample(size)).cpu
}
