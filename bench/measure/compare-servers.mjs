import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { EFFORT } from './effort.mjs'
import { printRows } from './print-rows.mjs'
import { median } from './quantile.mjs'

const REQUESTS = EFFORT.sampleMs * 250
export const CONNECTIONS = 16

/**
 * Compares servers, each in a process of its own: CPU time of that process per request, in rounds
 * that take turns. A ratio is against the first.
 *
 * @param servers `{ name, kind?, start }`: what starts one, and gives its port, what it `used` and a
 *   way to `stop` it
 * @param requests texts of the requests, sent in turn
 * @param bodyLength of every answer
 * @returns rows `{ group, name, kind, cpu_us, per_second, rss_mb, ratio, rounds }`
 */
export async function compareServers(group, servers, requests, bodyLength) {
  const subjects = []
  try {
    for (const { start, ...named } of servers) {
      const subject = { ...named, ...(await start()), cpu: [], rates: [] }
      subjects.push(subject)
      await load(subject.port, requests, bodyLength)
    }
    for (let round = 0; round < EFFORT.rounds; round++) {
      for (const subject of subjects) {
        const before = await subject.used()
        subject.rates.push(await load(subject.port, requests, bodyLength))
        const after = await subject.used()
        subject.rss = after.rss
        subject.cpu.push((after.cpu - before.cpu) / REQUESTS)
      }
    }
  } finally {
    for (const { stop } of subjects) await stop()
  }
  const floor = median(subjects[0].cpu)
  const rows = subjects.map(({ name, kind, cpu, rates, rss }) => ({
    group,
    name,
    kind,
    cpu_us: median(cpu),
    per_second: Math.round(median(rates)),
    rss_mb: rss / 1e6,
    ratio: median(cpu) / floor,
    rounds: cpu,
  }))
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

/** Sends requests one after the other on each connection; gives requests per second. */
async function load(port, requests, bodyLength) {
  let left = REQUESTS
  const begin = performance.now()
  const ask = (socket) => {
    let missing = 0
    const next = () => {
      if (left-- > 0) socket.write(requests[left % requests.length], 'latin1')
      else socket.end()
    }
    socket.on('data', (part) => {
      if (missing === 0) {
        if (!part.toString('latin1', 0, 15).startsWith('HTTP/1.1 200 ')) throw new Error(`${part}`)
        missing = part.indexOf('\r\n\r\n') + 4 + bodyLength
      }
      missing -= part.length
      if (missing === 0) next()
    })
    next()
  }
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.once('connect', () => ask(socket))
  await Promise.all(sockets.map((socket) => once(socket, 'close')))
  return REQUESTS / ((performance.now() - begin) / 1000)
}
