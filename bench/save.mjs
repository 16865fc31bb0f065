import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { bigZone, SIZES } from './big-zone.mjs'

const SMOKE = process.env.BENCH_ROUNDS === '1'
const SAVES = SMOKE ? 3 : 100
const SMALL = { rules: 10, operations: 100, configurations: 2 }
const TOKEN = 'the-administrator-of-this-benchmark'
const ZONE = 'b'.repeat(32)
/** A change that has not been announced yet is looked for each second. */
const SETTLE_MS = 300

/** `portcullis serve` as it is without options: management, and one gate process. */
async function startServe(folder) {
  const main = fileURLToPath(new URL('../dist/node/cli/main.js', import.meta.url))
  const listen = ['--listen', '127.0.0.1:0', '--gate', '127.0.0.1:0', '--log-level', 'silent']
  const child = spawn(process.execPath, [main, 'serve', '--data', folder, ...listen], {
    env: { ...process.env, PORTCULLIS_API_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const urls = []
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\S+/.exec(line) ?? []
    if (url !== undefined) urls.push(url)
    if (urls.length === 2) return { child, base: urls[0], gate: urls[1] }
  }
  throw new Error('serve did not start')
}

async function call(base, method, path, body) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const request = { method, headers, body: JSON.stringify(body) }
  const response = await fetch(base + path, request)
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()).result
}

/** Fills the zone; gives the id of its middle rule. */
async function fill(base, sizes, upstream) {
  const document = bigZone(sizes)
  const zone = { id: ZONE, name: document.name, account: { id: 'a'.repeat(32) }, upstream }
  await call(base, 'POST', '/accounts', { id: 'a'.repeat(32), name: 'bench' })
  await call(base, 'POST', '/zones', zone)
  const at = `/zones/${ZONE}/token_validation`
  const ids = new Map()
  for (const { id, ...configuration } of document.token_configurations) {
    const wanted = { ...configuration, description: '', token_type: 'JWT' }
    ids.set(id, (await call(base, 'POST', `${at}/config`, wanted)).id)
  }
  const operations = document.operations.map(({ method, host, endpoint }) => ({
    method,
    host,
    endpoint,
  }))
  for (const piece of pieces(operations))
    await call(base, 'POST', `/zones/${ZONE}/api_gateway/operations`, piece)
  const named = (text) => text.replaceAll(/[0-9a-f-]{36}/g, (id) => ids.get(id))
  const rules = document.rules.map(({ title, action, expression, selector: { include } }) => ({
    title,
    action,
    expression: named(expression),
    selector: { include },
  }))
  const made = []
  for (const piece of pieces(rules))
    made.push(...(await call(base, 'POST', `${at}/rules/bulk`, piece)))
  return `${at}/rules/${made[made.length >> 1].id}`
}

function* pieces(list, size = 500) {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}

/** Asks again and again on one connection, and remembers the longest wait for an answer. */
function impatient(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const state = { longest: 0, answers: 0, stopped: false }
  const ask = () => {
    if (state.stopped) return agent.destroy()
    const start = performance.now()
    get(url, { agent, headers: { host: 'elsewhere.big.example' } }, (response) => {
      response.resume().once('end', () => {
        state.longest = Math.max(state.longest, performance.now() - start)
        state.answers++
        setImmediate(ask)
      })
    })
  }
  ask()
  return state
}

const row = (name, values) => {
  const sorted = values.toSorted((one, other) => one - other)
  return {
    name,
    median_ms: sorted[sorted.length >> 1],
    p99_ms: sorted[Math.ceil(sorted.length * 0.99) - 1],
    worst_ms: sorted.at(-1),
  }
}

/** What saving a rule of a large zone takes, and how long a client of the gate waits meanwhile. */
export async function run() {
  const sizes = SMOKE ? SMALL : SIZES
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
  const upstream = createServer((_, response) => response.end('ok'))
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { child, base, gate } = await startServe(folder)
  const rule = await fill(base, sizes, `http://127.0.0.1:${upstream.address().port}`)
  const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  await settle()
  const client = impatient(gate)
  const saves = []
  const waits = []
  const quiet = []
  for (let at = 0; at < SAVES; at++) {
    client.longest = 0
    await settle()
    quiet.push(client.longest)
    client.longest = 0
    const start = performance.now()
    await call(base, 'PATCH', rule, { title: `Title ${at}` })
    saves.push(performance.now() - start)
    await settle()
    waits.push(client.longest)
  }
  client.stopped = true
  child.kill('SIGTERM')
  await once(child, 'exit')
  upstream.closeAllConnections()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
  const rows = [
    row('PATCH of a rule, until its answer', saves),
    row('longest wait for the gate, saving', waits),
    row('longest wait for the gate, not saving', quiet),
  ]
  const { rules, operations, configurations } = sizes
  console.log(
    `\nsave, ${SAVES} times: ${rules} rules, ${operations} operations, ${configurations} configurations`,
  )
  const shown = ([name, value]) => [name, typeof value === 'number' ? value.toFixed(1) : value]
  console.table(rows.map((each) => Object.fromEntries(Object.entries(each).map(shown))))
  if (client.answers < SAVES) throw new Error('the gate hardly answered')
  return { title: 'save', rows }
}
