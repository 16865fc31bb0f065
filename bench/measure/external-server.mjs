import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/free-port.mjs'
import { processUsage } from './process-usage.mjs'

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
    used: () => processUsage(child.pid),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
