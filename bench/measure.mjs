const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 13)
const SAMPLE_MS = Number(process.env.BENCH_SAMPLE_MS ?? 20)
const WARM_MS = 3 * SAMPLE_MS

/**
 * Measures candidates beside each other on a busy machine: each round runs every candidate once, in
 * shuffled order, and the median over rounds of the process's CPU time per operation is what counts.
 * Wall time stands beside it. A ratio is against the first candidate.
 *
 * A candidate is `{ name, run(i), verify?(result) }`; `run` gets a counter so that it can pick a
 * fresh input, and may be async. `verify` throws when a result is not what it should be.
 *
 * @returns rows `{ name, cpu_us, wall_us, wall_p10_us, ratio }`
 */
export async function measure(title, candidates, { rounds = ROUNDS, batch } = {}) {
  const subjects = []
  for (const candidate of candidates) {
    const isAsync = await warm(candidate)
    const size = batch ?? (await batchFor(candidate, isAsync))
    subjects.push({ ...candidate, isAsync, size, counter: 0, cpu: [], wall: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const subject of shuffled(subjects)) {
      const { cpu, wall } = await sample(subject, subject.isAsync, subject.size)
      subject.cpu.push(cpu)
      subject.wall.push(wall)
    }
  }
  const rows = subjects.map(({ name, cpu, wall }) => ({
    name,
    cpu_us: quantile(cpu, 0.5),
    wall_us: quantile(wall, 0.5),
    wall_p10_us: quantile(wall, 0.1),
  }))
  for (const row of rows) row.ratio = row.cpu_us / rows[0].cpu_us
  print(title, rows)
  return rows
}

/** Runs a candidate until the compiler has seen enough of it; tells whether it answers later. */
async function warm({ run, verify }) {
  let isAsync = false
  const end = performance.now() + WARM_MS
  for (let i = 0; i < 20 || performance.now() < end; i++) {
    let result = run(i)
    if (typeof result?.then === 'function') {
      isAsync = true
      result = await result
    }
    verify?.(result)
  }
  return isAsync
}

async function batchFor(candidate, isAsync) {
  const trial = { ...candidate, counter: 0 }
  const { wall } = await sample(trial, isAsync, 16)
  return Math.max(16, Math.ceil((SAMPLE_MS * 1000) / wall))
}

/** Microseconds per operation, over one batch. */
async function sample(subject, isAsync, size) {
  const { run } = subject
  const first = subject.counter
  subject.counter += size
  const wallStart = performance.now()
  const cpuStart = process.cpuUsage()
  if (isAsync) for (let i = first; i < first + size; i++) await run(i)
  else for (let i = first; i < first + size; i++) run(i)
  const { user, system } = process.cpuUsage(cpuStart)
  return { cpu: (user + system) / size, wall: ((performance.now() - wallStart) * 1000) / size }
}

function shuffled(items) {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}

function quantile(values, q) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]
}

function print(title, rows) {
  const width = Math.max(...rows.map(({ name }) => name.length))
  console.log(`\n${title}`)
  console.log(`${''.padEnd(width)}    cpu µs   wall µs    p10 µs   ratio`)
  for (const { name, cpu_us, wall_us, wall_p10_us, ratio } of rows) {
    const cells = [cpu_us, wall_us, wall_p10_us].map((value) => figure(value).padStart(9))
    console.log(`${name.padEnd(width)} ${cells.join(' ')} ${`${ratio.toFixed(2)}x`.padStart(7)}`)
  }
}

function figure(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
