import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('run-suite.mjs', import.meta.url))
/** No suite takes a third of it where others have the machine for most of the time. */
const LIMIT_MS = 900_000
/** Others may reach what they know by name inside: Postgres runs as another user. */
const PASSABLE = 0o711
/** What has just been killed may still write. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }
/** Where tables go while standard output is for JSON. */
const STDERR = 2

/**
 * Runs a suite in a process of its own, so that none is measured with what another left behind and
 * one that fails takes no other along.
 *
 * @param runtime one of `findRuntimes`
 * @param env variables on top of this process's
 * @param args for suites that read any
 * @param tablesTo `stdout` or `stderr`
 * @returns what its `run` gave, or `{ rows: [], failed }` with the reason
 */
export async function startSuite(suite, runtime, { env, args, tablesTo }) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
  chmodSync(folder, PASSABLE)
  const [input, result] = [join(folder, 'input.json'), join(folder, 'result.json')]
  writeFileSync(input, JSON.stringify({ suite, result }))
  const [program, ...rest] = runtime.command(SCRIPT, input)
  const child = spawn(program, [...rest, ...args], {
    // Whoever is killed leaves folders behind, all of them in this one.
    env: { ...process.env, ...env, TMPDIR: folder },
    stdio: ['ignore', tablesTo === 'stdout' ? 'inherit' : STDERR, 'inherit'],
    detached: true,
  })
  const stop = () => end(child.pid)
  const leave = () => {
    stop()
    rmSync(folder, REMOVAL)
  }
  process.once('exit', leave)
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    stop()
  }, LIMIT_MS)
  try {
    const [code, signal] = await once(child, 'exit')
    if (code === 0) return JSON.parse(readFileSync(result, 'utf8'))
    const how = isLate ? `took longer than ${LIMIT_MS / 1000} s` : `ended with ${signal ?? code}`
    return { rows: [], failed: `it ${how}` }
  } catch (error) {
    return { rows: [], failed: error.message }
  } finally {
    clearTimeout(limit)
    process.off('exit', leave)
    // Servers that it started and did not stop.
    leave()
  }
}

/** Ends a process, if it was started at all, and everything that it started. */
function end(pid) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
