import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { findRuntimes } from '../test/runtimes/runtimes.mjs'
import { startExternal } from './measure/external-server.mjs'
import { EFFORT } from './measure/effort.mjs'
import { measure, warmUp } from './measure/measure.mjs'
import { ALGS, makeKey, makeTokens, spoil } from './subjects/tokens.mjs'

/** Samples of another process are longer than parts of one in this. */
const ROUNDS = 2 * EFFORT.rounds

/** Twice as many as the gate's cache remembers, so that in turn none is found. */
const TOKENS = 512

const KINDS = new Map([
  ['subtle.verify alone', 'floor'],
  ['valid', undefined],
  ['bad signature', undefined],
  ['valid, a gate without options', undefined],
  ['warm', undefined],
  ['verify alone', 'ours'],
  ['jose', 'peer'],
  ['hono/jwt', 'peer'],
  ['harness: making the request', 'harness'],
])

/** Decisions in workerd, cold ones over its own `subtle.verify`. */
export async function run() {
  const workerd = findRuntimes().find(({ id }) => id === 'workerd')
  if (process.platform !== 'linux') return { rows: [], skipped: 'only Linux tells its CPU time' }
  if (workerd.program === undefined) return { rows: [], skipped: 'workerd is not installed' }
  const tokens = Object.fromEntries(ALGS.map((alg) => [alg, tokensOf(makeKey(alg))]))
  const worker = await bundle()
  const server = await startExternal({
    command: workerd.program,
    files: (_, port) => ({
      'worker.mjs': worker,
      'input.json': JSON.stringify(tokens),
      'workerd.capnp': configuration(port),
    }),
    args: (folder) => ['serve', join(folder, 'workerd.capnp')],
  })
  try {
    const tables = ALGS.map((alg) => [
      `cold ${alg}`,
      [...KINDS].map(([subject, kind]) => candidate(server, alg, subject, kind)),
    ])
    // What is measured first would pay for making all subjects and for compiling their code.
    for (const [, candidates] of tables) for (const each of candidates) await warmUp(each)
    const rows = []
    for (const table of tables) rows.push(...(await measure(...table, ROUNDS)))
    const { id, name, version } = workerd
    return { rows, runtime: { id, name, version } }
  } finally {
    await server.stop()
  }
}

function tokensOf(key) {
  const tokens = makeTokens(key, TOKENS)
  return { jwk: key.jwk, tokens, spoilt: tokens.map(spoil) }
}

function candidate(server, alg, name, kind) {
  async function sample(size) {
    const asked = new URLSearchParams({ alg, name, size })
    const url = `http://127.0.0.1:${server.port}/?${asked}`
    const start = performance.now()
    const before = server.used().cpu
    const response = await fetch(url, { method: 'POST' })
    if ((await response.text()) !== 'done') throw new Error(`${alg}, ${name}: a wrong result`)
    const cpu = (server.used().cpu - before) / size
    return { cpu, wall: ((performance.now() - start) * 1000) / size }
  }
  return { name, kind, sample }
}

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('subjects/worker.mjs', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
  })
  return outputFiles[0].text
}

const configuration = (port) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
    bindings = [(name = "input", text = embed "input.json")],
    compatibilityDate = "2026-11-01"
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`
