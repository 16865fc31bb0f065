import { createGate } from 'portcullis'
import { givingWay, nodeCrypto } from 'portcullis/node'
import { bigZone, SIZES, SMALL_SIZES } from './subjects/big-zone.mjs'
import { EFFORT } from './measure/effort.mjs'
import { printRows } from './measure/print-rows.mjs'
import { spreadOf } from './measure/quantile.mjs'
import { startOrigin } from './subjects/start-origin.mjs'

const ROUNDS = EFFORT.smoke ? 2 : 20

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
    spreadOf(`${name}: until in force`, times),
    spreadOf(`${name}: CPU`, cpu),
    spreadOf(`${name}: longest block`, blocks),
  ]
}

/** What a client waits at most for an answer of this process while policies are replaced. */
async function slowestAnswer(replace, text) {
  const origin = await startOrigin()
  const waits = []
  for (let round = 0; round < ROUNDS; round++) {
    const done = new AbortController()
    const replacing = replace(JSON.parse(text)).then(() => done.abort())
    let slowest = 0
    while (!done.signal.aborted) {
      const start = performance.now()
      await (await fetch(origin.url)).text()
      slowest = Math.max(slowest, performance.now() - start)
    }
    await replacing
    waits.push(slowest)
  }
  origin.stop()
  return spreadOf('little by little: slowest answer of a server beside it', waits)
}

/** How long a large zone takes until it is in force, and how long it keeps everything else waiting. */
export async function run() {
  const sizes = EFFORT.smoke ? SMALL_SIZES : SIZES
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
  printRows(`${ROUNDS} replacements, ${(text.length / 1e6).toFixed(1)} MB of JSON`, rows)
  return { rows }
}
