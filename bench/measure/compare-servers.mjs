import { fork } from 'node:child_process'
import { once } from 'node:events'
import { withRatios } from './compare-rows.mjs'
import { EFFORT } from './effort.mjs'
import { printRows } from './print-rows.mjs'
import { median } from './quantile.mjs'
import { shuffled } from './shuffled.mjs'
import { MORE_TRIES, waitForQuiet } from './quiet.mjs'

const REQUESTS = EFFORT.sampleMs * 100
/** Of each turn that do not count, times those that do: the servers before had other things in the core's caches. */
const LEAD = 1
/** Many and short ones: what slows the machine down for a while slows all servers down that take turns. */
const ROUNDS = EFFORT.smoke ? 1 : 4 * EFFORT.rounds

/**
 * Compares servers, each in a process of its own: CPU time of that process per request, in rounds
 * that take turns. A ratio is against the first, round by round.
 *
 * @param servers `{ name, kind?, checks?, start }`: whether it looks at tokens, and what starts it and
 *   gives its port, what it `used` and a way to `stop` it
 * @param load sends so many requests to a port; rejects on a wrong answer
 * @param refuses says whether the server at a port refuses a bad token
 * @returns rows `{ group, name, kind, cpu_us, per_second, rss_mb, ratio, rounds }`
 */
export async function compareServers(group, servers, load, refuses) {
  const subjects = []
  try {
    for (const { start, ...named } of servers) {
      const subject = { ...named, ...(await start()), cpu: [], rates: [] }
      subjects.push(subject)
      // One that lets everything pass is measured as such or not at all.
      if ((await refuses(subject.port)) !== (subject.checks === true))
        throw new Error(`${subject.name}: a wrong answer to a bad token`)
      await load(subject.port, REQUESTS)
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const subject of shuffled(subjects)) {
        await load(subject.port, REQUESTS * LEAD)
        waitForQuiet(MORE_TRIES)
        const before = await subject.used()
        const begin = performance.now()
        await load(subject.port, REQUESTS)
        subject.rates.push(REQUESTS / ((performance.now() - begin) / 1000))
        const after = await subject.used()
        subject.rss = after.rss
        subject.cpu.push((after.cpu - before.cpu) / REQUESTS)
      }
    }
  } finally {
    for (const { stop } of subjects) await stop()
  }
  const measured = subjects.map(({ name, kind, cpu, rates, rss }) => ({
    group,
    name,
    kind,
    cpu_us: median(cpu),
    per_second: Math.round(median(rates)),
    rss_mb: rss / 1e6,
    rounds: cpu,
  }))
  const rows = withRatios(measured)
  printRows(group, rows)
  return rows
}

/** Forks a module that calls `serveSubject`. */
export async function forkServer(file, name, origin) {
  const child = fork(file, ['--serve', name, ...(origin ? [origin] : [])])
  const [port] = await once(child, 'message')
  const used = async () => {
    child.send('usage')
    return (await once(child, 'message'))[0]
  }
  return { port, used, stop: () => child.disconnect() }
}

/** In a forked process: listens, and tells its CPU time and memory when asked. */
export function serveSubject(server) {
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system, rss: process.memoryUsage().rss })
  })
  process.on('disconnect', () => process.exit())
}
