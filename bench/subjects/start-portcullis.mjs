import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/node/cli/main.js', import.meta.url))

/**
 * Starts the command line and waits until it has said where it listens.
 *
 * @param says `stdout` or `stderr`: where it does
 * @param count of addresses to wait for
 * @returns `{ urls, stop }`
 */
export async function startPortcullis(args, { env, says, count }) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child[says === 'stdout' ? 'stderr' : 'stdout'].resume()
  const urls = []
  for await (const line of createInterface(child[says])) {
    const [url] = /http:\/\/\S+/.exec(line) ?? []
    if (url !== undefined) urls.push(url)
    if (urls.length === count) {
      child[says].resume()
      return { urls, stop: () => stopped(child) }
    }
  }
  throw new Error(`portcullis ${args[0]} did not start`)
}

async function stopped(child) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}
