import { fork, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const CHANGES = process.env.BENCH_ROUNDS === '1' ? 5 : 100
const TOKEN = 'the-administrator-of-this-benchmark'
const ZONE = '0'.repeat(31) + '1'
const ACCOUNT = 'a'.repeat(32)
/** The bound for every single change. */
const BOUND_MS = 1000

/** In a process of its own: management over a database file, with full durability. */
async function serveManagement(file) {
  const { serve } = await import('@hono/node-server')
  const { createManagement, createSealer, openDatabase } = await import('portcullis/management')
  const { sqliteDialect } = await import('portcullis/node')
  const random = (bytes) => new Uint8Array(randomBytes(bytes))
  const db = await openDatabase(sqliteDialect(file))
  const sealer = await createSealer([random(32)], random)
  const management = createManagement({ db, sealer, now: Date.now, newId: randomUUID, random })
  await management.ensureFirstToken(TOKEN)
  serve({ fetch: management.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    process.send(`http://127.0.0.1:${port}/client/v4`),
  )
  process.on('disconnect', () => process.exit())
}

async function call(base, method, path, body) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const request = { method, headers, body: JSON.stringify(body) }
  const response = await fetch(base + path, request)
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()).result
}

/** A zone with a rule that refuses everything once it is enabled. */
async function makeZone(base, upstream) {
  await call(base, 'POST', '/accounts', { id: ACCOUNT, name: 'bench' })
  const zone = { id: ZONE, name: 'localhost', account: { id: ACCOUNT }, upstream }
  await call(base, 'POST', '/zones', zone)
  const operation = { method: 'GET', host: 'localhost', endpoint: '/' }
  await call(base, 'POST', `/zones/${ZONE}/api_gateway/operations/item`, operation)
  const rule = { action: 'block', expression: 'false', enabled: false }
  const { id } = await call(base, 'POST', `/zones/${ZONE}/token_validation/rules`, rule)
  return `/zones/${ZONE}/token_validation/rules/${id}`
}

async function startGate(base, folder) {
  const main = fileURLToPath(new URL('../dist/node/cli/main.js', import.meta.url))
  const policy = `${base}/zones/${ZONE}/gate/policy`
  const args = [main, 'gate', '--policy', policy, '--listen', '127.0.0.1:0', '--state', folder]
  const env = { ...process.env, PORTCULLIS_GATE_TOKEN: TOKEN }
  const child = spawn(process.execPath, [...args, '--quiet'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface(child.stderr)) {
    const [, port] = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? []
    if (port !== undefined) {
      child.stderr.resume()
      return { child, url: `http://localhost:${port}/` }
    }
  }
  throw new Error('the gate did not start')
}

async function passes(url) {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status === 200
}

/** Milliseconds from the call that saves, and from its answer, until the gate decides by it. */
async function change(base, rule, url, enabled) {
  const asked = performance.now()
  await call(base, 'PATCH', rule, { enabled })
  const saved = performance.now()
  while ((await passes(url)) === enabled)
    if (performance.now() - saved > 10 * BOUND_MS) throw new Error('the change never came')
  const inForce = performance.now()
  return { whole: inForce - asked, after: inForce - saved }
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

/** How long a saved change takes until a running gate, another process, decides by it. */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
  const upstream = createServer((_, response) => response.end('ok'))
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const management = fork(fileURLToPath(import.meta.url), ['--serve', join(folder, 'bench.db')])
  const [base] = await once(management, 'message')
  const rule = await makeZone(base, `http://127.0.0.1:${upstream.address().port}`)
  const gate = await startGate(base, folder)
  const times = []
  for (let at = 0; at < CHANGES; at++) times.push(await change(base, rule, gate.url, at % 2 === 0))
  gate.child.kill('SIGTERM')
  await once(gate.child, 'exit')
  management.disconnect()
  upstream.closeAllConnections()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
  const rows = [
    row(
      'change sent -> in force',
      times.map(({ whole }) => whole),
    ),
    row(
      'change saved -> in force',
      times.map(({ after }) => after),
    ),
  ]
  console.log(
    `\nfollow, ${CHANGES} changes of a rule: management and gate are processes of their own`,
  )
  const shown = ([name, value]) => [name, typeof value === 'number' ? value.toFixed(1) : value]
  console.table(rows.map((each) => Object.fromEntries(Object.entries(each).map(shown))))
  if (rows[0].worst_ms >= BOUND_MS) throw new Error(`a change took longer than ${BOUND_MS} ms`)
  return { title: 'follow', rows }
}

if (process.argv[2] === '--serve') await serveManagement(process.argv[3])
