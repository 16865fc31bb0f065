import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** File descriptors that a process prints to. */
interface To {
  readonly stdout?: number
  readonly stderr?: number
}

/** Starts the built command as a shell would. */
export function startCli(...args: string[]): ChildProcess {
  const env = { ...process.env, NO_COLOR: '1' }
  return spawn(process.execPath, ['dist/node/cli/main.js', ...args], { cwd: ROOT, env })
}

/** The same with other streams, where they are given, than this process reads. */
export function startPrinting(to: To, ...args: string[]): ChildProcess {
  const env = { ...process.env, NO_COLOR: '1' }
  const program = ['dist/node/cli/main.js', ...args]
  const stdio: StdioOptions = ['ignore', to.stdout ?? 'pipe', to.stderr ?? 'pipe']
  return spawn(process.execPath, program, { cwd: ROOT, env, stdio })
}

/** The same in a process group of its own, as a terminal would, with a program that each process runs first. */
export function startApart(args: readonly string[], first: string): ChildProcess {
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: `--require ${first}` }
  const program = ['dist/node/cli/main.js', ...args]
  return spawn(process.execPath, program, { cwd: ROOT, env, detached: true })
}

/** Runs it to its end. */
export function runCli(args: readonly string[], input = ''): Promise<Ended> {
  const child = startCli(...args)
  child.stdin?.end(input)
  return ended(child)
}

export function ended(child: ChildProcess): Promise<Ended> {
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, out, err }))
  })
}

/** Resolves with the first line, of either stream, that matches. */
export function line(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const look = (chunk: Buffer) => {
      text += chunk.toString()
      const found = text
        .split('\n')
        .slice(0, -1)
        .find((each) => pattern.test(each))
      if (found === undefined) return
      for (const stream of streams) stream?.off('data', look)
      child.off('close', lost)
      resolve(found)
    }
    const lost = () => reject(new Error(`ended without ${pattern}:\n${text}`))
    const streams = [child.stdout, child.stderr]
    for (const stream of streams) stream?.on('data', look)
    child.once('close', lost)
  })
}
