import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux counts CPU time in hundredths of a second for programs that look at /proc. */
const TICK_US = 10_000

/**
 * Starts another program's server.
 *
 * @param command and the files it needs: `files(folder, port)` gives texts by name, `args(folder)`
 *   its arguments
 * @returns its port, what it used (itself and its workers) and a way to stop it
 */
export async function startExternal({ command, files, args }) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
  const port = await freePort()
  for (const [name, text] of Object.entries(files(folder, port)))
    writeFileSync(join(folder, name), text)
  const child = spawn(command, args(folder), { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${command} does not start`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    port,
    used: () => usageOf([child.pid, ...childrenOf(child.pid)]),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function usageOf(pids) {
  const used = { cpu: 0, rss: 0 }
  for (const pid of pids) {
    // After the name, which is in brackets and may hold spaces: field 3 and on of proc(5).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    used.cpu += (Number(fields[11]) + Number(fields[12])) * TICK_US
    used.rss += Number(fields[21]) * 4096
  }
  return used
}

const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
