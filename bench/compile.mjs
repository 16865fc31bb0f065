import { createServer } from 'node:http'
import { once } from 'node:events'
import { createGate } from 'portcullis'
import { nodeCrypto } from 'portcullis/node'
import { bigZone, SIZES } from './big-zone.mjs'

const SMOKE = process.env.BENCH_ROUNDS === '1'
const ROUNDS = SMOKE ? 2 : 20
const SLICE_MS = 2
const SMALL = { rules: 10, operations: 100, configurations: 2 }

/** The pause of the node floor: whatever else there is to do comes after each slice of work. */
function givingWay() {
  let start = performance.now()
  return () => {
    if (performance.now() - start < SLICE_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        start = performance.now()
        resolve()
      })
    })
  }
}

/** The longest time for which the event loop did not come round while something was done. */
async function longestBlock(work) {
  let longest = 0
  let last = performance.now()
  let done = false
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!done) setImmediate(look)
  }
  setImmediate(look)
  await new Promise((resolve) => setImmediate(resolve))
  await work()
  await new Promise((resolve) => setImmediate(resolve))
  done = true
  return longest
}

const row = (name, values) => {
  const sorted = values.toSorted((one, other) => one - other)
  return { name, median_ms: sorted[sorted.length >> 1], worst_ms: sorted.at(-1) }
}

async function measured(name, text, replace) {
  const times = []
  const cpu = []
  const blocks = []
  for (let round = 0; round < ROUNDS; round++) {
    const zone = JSON.parse(text)
    await new Promise((resolve) => setImmediate(resolve))
    const before = process.cpuUsage()
    const start = performance.now()
    blocks.push(await longestBlock(() => replace(zone)))
    times.push(performance.now() - start)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
  }
  return [
    row(`${name}: until in force`, times),
    row(`${name}: CPU`, cpu),
    row(`${name}: longest block`, blocks),
  ]
}

/** What a client waits at most for an answer of this process while policies are replaced. */
async function slowestAnswer(replace, text) {
  const server = createServer((_, response) => response.end('ok'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}/`
  const waits = []
  for (let round = 0; round < ROUNDS; round++) {
    const done = new AbortController()
    const replacing = replace(JSON.parse(text)).then(() => done.abort())
    let slowest = 0
    while (!done.signal.aborted) {
      const start = performance.now()
      await (await fetch(url)).text()
      slowest = Math.max(slowest, performance.now() - start)
    }
    await replacing
    waits.push(slowest)
  }
  server.closeAllConnections()
  server.close()
  return row('little by little: slowest answer of a server beside it', waits)
}

/** How long a large zone takes until it is in force, and how long it keeps everything else waiting. */
export async function run() {
  const sizes = SMOKE ? SMALL : SIZES
  const zone = bigZone(sizes)
  const text = JSON.stringify(zone)
  const gate = createGate(zone, { crypto: nodeCrypto() })
  const gradually = (next) => gate.replaceGradually(next, givingWay())
  const rows = [
    ...(await measured('all at once', text, async (next) => gate.replace(next))),
    ...(await measured('little by little', text, gradually)),
    await slowestAnswer(gradually, text),
  ]
  if (gate.epoch !== 1 + 3 * ROUNDS) throw new Error('a policy was not put in force')
  if (gate.zones[0].rules.length !== sizes.rules) throw new Error('a rule is missing')
  const { rules, operations, configurations } = sizes
  const what = `${rules} rules, ${operations} operations, ${configurations} configurations`
  console.log(`\ncompile, ${ROUNDS} replacements: ${what}, ${(text.length / 1e6).toFixed(1)} MB`)
  const shown = ([name, value]) => [name, typeof value === 'number' ? value.toFixed(1) : value]
  console.table(rows.map((each) => Object.fromEntries(Object.entries(each).map(shown))))
  return { title: 'compile', rows }
}
