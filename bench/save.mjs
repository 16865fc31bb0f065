import { Agent, get } from 'node:http'
import { bigZone, SIZES, SMALL_SIZES } from './subjects/big-zone.mjs'
import { EFFORT } from './measure/effort.mjs'
import { ADMINISTRATOR, managementCall } from './subjects/management-call.mjs'
import { printRows } from './measure/print-rows.mjs'
import { spreadOf } from './measure/quantile.mjs'
import { startOrigin } from './subjects/start-origin.mjs'
import { startPortcullis } from './subjects/start-portcullis.mjs'
import { withFolder } from './subjects/with-folder.mjs'

const SAVES = EFFORT.smoke ? 3 : 60
const ZONE = 'b'.repeat(32)
const ACCOUNT = 'a'.repeat(32)
/** A change is in force well before. */
const SETTLE_MS = 200

/** `portcullis serve` as it is without options: management, and one gate process. */
async function startServe(folder) {
  const listen = ['--listen', '127.0.0.1:0', '--gate', '127.0.0.1:0', '--log-level', 'silent']
  const env = { PORTCULLIS_API_TOKEN: ADMINISTRATOR }
  const serving = { env, says: 'stdout', count: 2 }
  const { urls, stop } = await startPortcullis(['serve', '--data', folder, ...listen], serving)
  return { base: urls[0], gate: urls[1], stop }
}

/** Fills the zone; gives the path of its middle rule. */
async function fill(base, sizes, upstream) {
  const post = (path, body) => managementCall(base, 'POST', path, body)
  const document = bigZone(sizes)
  await post('/accounts', { id: ACCOUNT, name: 'bench' })
  await post('/zones', { id: ZONE, name: document.name, account: { id: ACCOUNT }, upstream })
  const at = `/zones/${ZONE}/token_validation`
  const ids = new Map()
  for (const { id, ...configuration } of document.token_configurations) {
    const wanted = { ...configuration, description: '', token_type: 'JWT' }
    ids.set(id, (await post(`${at}/config`, wanted)).id)
  }
  const operations = document.operations.map(({ method, host, endpoint }) => ({
    method,
    host,
    endpoint,
  }))
  for (const piece of pieces(operations)) await post(`/zones/${ZONE}/api_gateway/operations`, piece)
  const named = (text) => text.replaceAll(/[0-9a-f-]{36}/g, (id) => ids.get(id))
  const rules = document.rules.map(({ title, action, expression, selector: { include } }) => ({
    title,
    action,
    expression: named(expression),
    selector: { include },
  }))
  const made = []
  for (const piece of pieces(rules)) made.push(...(await post(`${at}/rules/bulk`, piece)))
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

/** What saving a rule of a large zone takes, and how long a client of the gate waits meanwhile. */
export const run = () =>
  withFolder(async (folder) => {
    const origin = await startOrigin()
    const { base, gate, stop } = await startServe(folder)
    const rule = await fill(base, EFFORT.smoke ? SMALL_SIZES : SIZES, origin.url)
    const client = impatient(gate)
    const rows = await saving(base, rule, client)
    client.stopped = true
    await stop()
    origin.stop()
    if (client.answers < SAVES) throw new Error('the gate hardly answered')
    printRows(`${SAVES} times`, rows)
    return { rows }
  })

async function saving(base, rule, client) {
  const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const saves = []
  const waits = []
  const quiet = []
  await settle()
  for (let at = 0; at < SAVES; at++) {
    client.longest = 0
    await settle()
    quiet.push(client.longest)
    client.longest = 0
    const start = performance.now()
    await managementCall(base, 'PATCH', rule, { title: `Title ${at}` })
    saves.push(performance.now() - start)
    await settle()
    waits.push(client.longest)
  }
  return [
    spreadOf('PATCH of a rule, until its answer', saves),
    spreadOf('longest wait for the gate, saving', waits),
    spreadOf('longest wait for the gate, not saving', quiet),
  ]
}
