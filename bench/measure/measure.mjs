import { EFFORT } from './effort.mjs'
import { printRows } from './print-rows.mjs'
import { mean, median, quantile } from './quantile.mjs'
import { shuffled } from './shuffled.mjs'
import { waitForQuiet } from './wait-for-quiet.mjs'

/** Of CPU time, since on a busy machine other time says little of how much was done. */
const WARM_US = 4 * EFFORT.sampleMs * 1000
/** Compilers count calls: what takes longer is run for longer, up to a bound. */
const WARM_CALLS = EFFORT.smoke ? 0 : 20_000
const MAX_WARM_US = 5 * WARM_US
/** Of a sample: what slows the machine down for a while slows all candidates down that take turns. */
const PARTS = EFFORT.smoke ? 1 : 4
/** Calls of each part that do not count: the one before had other code in the core's caches. */
const LEAD = 4

const isCold = (calls, us) => us < WARM_US || (calls < WARM_CALLS && us < MAX_WARM_US)

/**
 * Measures candidates beside each other on a busy machine: each round runs a sample of every candidate,
 * part by part in turns and in shuffled order, and the median over rounds of the process's CPU time per
 * operation is what counts. Wall time stands beside it. A ratio is against the first candidate.
 *
 * A candidate is `{ name, kind?, run(i), verify?(result) }`; `run` gets a counter so that it can pick
 * a fresh input, and may be async. `verify` throws when a result is not what it should be. Work in
 * another process comes as `{ name, kind?, sample(size) }`, which gives `{ cpu, wall }`: microseconds
 * of an operation. The kind is `ours`, `peer`, `floor` (the least that anyone can do) or `harness`.
 *
 * @param rounds more than usual where candidates differ by little
 * @returns rows `{ group, name, kind, cpu_us, wall_us, wall_p10_us, ratio, rounds }`, where `rounds`
 *   has the CPU time of every round
 */
export async function measure(group, candidates, rounds = EFFORT.rounds) {
  const subjects = []
  for (const candidate of candidates) {
    const sample = candidate.sample ?? (await samplerOf(candidate))
    const parts = candidate.sample ? 1 : PARTS
    const size = Math.ceil((await sizeFor(sample, candidate.sample ? 256 : 16)) / parts)
    subjects.push({ ...candidate, sample, parts, size, cpu: [], wall: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const [subject, samples] of await takeTurns(subjects)) {
      subject.cpu.push(mean(samples.map(({ cpu }) => cpu)))
      subject.wall.push(mean(samples.map(({ wall }) => wall)))
    }
  }
  const floor = median(subjects[0].cpu)
  const rows = subjects.map(({ name, kind, cpu, wall }) => ({
    group,
    name,
    kind,
    cpu_us: median(cpu),
    wall_us: median(wall),
    wall_p10_us: quantile(wall, 0.1),
    ratio: median(cpu) / floor,
    rounds: cpu,
  }))
  printRows(group, rows)
  return rows
}

/** One round: what each subject took, part by part. */
async function takeTurns(subjects) {
  const taken = new Map(subjects.map((subject) => [subject, []]))
  for (let part = 0; part < PARTS; part++) {
    const turns = shuffled(subjects.filter(({ parts }) => part < parts))
    for (const [turn, subject] of turns.entries()) {
      if (turn === 0 || subject.parts === 1) waitForQuiet()
      taken.get(subject).push(await subject.sample(subject.size))
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
    for (let lead = 0; lead < LEAD; lead++) await run(counter++)
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
