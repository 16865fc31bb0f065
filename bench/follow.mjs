import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EFFORT } from './measure/effort.mjs'
import { ADMINISTRATOR, managementCall } from './subjects/management-call.mjs'
import { printRows } from './measure/print-rows.mjs'
import { spreadOf } from './measure/quantile.mjs'
import { startOrigin } from './subjects/start-origin.mjs'
import { startPortcullis } from './subjects/start-portcullis.mjs'
import { withFolder } from './subjects/with-folder.mjs'

const CHANGES = EFFORT.smoke ? 5 : 100
const ZONE = '0'.repeat(31) + '1'
const ACCOUNT = 'a'.repeat(32)
/** Then a change has been lost. */
const PATIENCE_MS = 10_000

/** In a process of its own: management over a database file, with full durability. */
async function serveManagement(file) {
  const { serve } = await import('@hono/node-server')
  const { createManagement, createSealer, openDatabase } = await import('portcullis/management')
  const { sqliteDialect } = await import('portcullis/node')
  const random = (bytes) => new Uint8Array(randomBytes(bytes))
  const db = await openDatabase(sqliteDialect(file))
  const sealer = await createSealer([random(32)], random)
  const management = createManagement({ db, sealer, now: Date.now, newId: randomUUID, random })
  await management.ensureFirstToken(ADMINISTRATOR)
  serve({ fetch: management.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    process.send(`http://127.0.0.1:${port}/client/v4`),
  )
  process.on('disconnect', () => process.exit())
}

/** A zone with a rule that refuses everything once it is enabled. */
async function makeZone(base, upstream) {
  const post = (path, body) => managementCall(base, 'POST', path, body)
  await post('/accounts', { id: ACCOUNT, name: 'bench' })
  await post('/zones', { id: ZONE, name: 'localhost', account: { id: ACCOUNT }, upstream })
  const operation = { method: 'GET', host: 'localhost', endpoint: '/' }
  await post(`/zones/${ZONE}/api_gateway/operations/item`, operation)
  const rules = `/zones/${ZONE}/token_validation/rules`
  const { id } = await post(rules, { action: 'block', expression: 'false', enabled: false })
  return `${rules}/${id}`
}

async function startGate(base, folder) {
  const policy = `${base}/zones/${ZONE}/gate/policy`
  const args = ['gate', '--policy', policy, '--listen', '127.0.0.1:0', '--state', folder, '--quiet']
  const env = { PORTCULLIS_GATE_TOKEN: ADMINISTRATOR }
  const { urls, stop } = await startPortcullis(args, { env, says: 'stderr', count: 1 })
  return { url: `http://localhost:${new URL(urls[0]).port}/`, stop }
}

async function passes(url) {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status === 200
}

/** Milliseconds from the call that saves, and from its answer, until the gate decides by it. */
async function change(base, rule, url, enabled) {
  const asked = performance.now()
  await managementCall(base, 'PATCH', rule, { enabled })
  const saved = performance.now()
  while ((await passes(url)) === enabled)
    if (performance.now() - saved > PATIENCE_MS) throw new Error('the change never came')
  const inForce = performance.now()
  return { whole: inForce - asked, after: inForce - saved }
}

/** How long a saved change takes until a running gate, another process, decides by it. */
export const run = () =>
  withFolder(async (folder) => {
    const origin = await startOrigin()
    const database = join(folder, 'bench.db')
    const management = fork(fileURLToPath(import.meta.url), ['--serve', database])
    const [base] = await once(management, 'message')
    const rule = await makeZone(base, origin.url)
    const gate = await startGate(base, folder)
    const times = []
    for (let at = 0; at < CHANGES; at++)
      times.push(await change(base, rule, gate.url, at % 2 === 0))
    await gate.stop()
    management.disconnect()
    origin.stop()
    const rows = [
      ['sent -> in force', 'whole'],
      ['saved -> in force', 'after'],
    ].map(([name, key]) =>
      spreadOf(
        `change ${name}`,
        times.map((time) => time[key]),
      ),
    )
    printRows(`${CHANGES} changes of a rule`, rows)
    return { rows }
  })

if (process.argv[2] === '--serve') await serveManagement(process.argv[3])
