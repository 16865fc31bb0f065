import { spawn, type ChildProcess } from 'node:child_process'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import Cloudflare from 'cloudflare'
import { judgedFetch } from '../../management/contract.js'
import { ended, line, type Ended } from '../cli/run-cli.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** A `portcullis serve` under way. */
export interface Serving {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Of the management listener, without a path. */
  readonly origin: string
  readonly gate: string
  /** The administrator's token, where this start made it. */
  readonly firstToken: string
}

/** Starts the real command and waits until it listens. */
export function startServing(
  data: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Serving> {
  const listen = ['--listen', '127.0.0.1:0', '--gate', '127.0.0.1:0']
  return started(['dist/node/cli/main.js', 'serve', '--data', data, ...listen, ...args], env)
}

/** Starts a program that tells of itself what `portcullis serve` does, and waits until it listens. */
export async function started(
  program: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Serving> {
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  let firstToken = ''
  child.stdout?.on('data', (text: Buffer) => {
    firstToken ||= /shown this once: (\S+)\n/.exec(text.toString())?.[1] ?? ''
  })
  const done = ended(child)
  const [management, gate] = await Promise.all([
    line(child, /^The management API listens on /),
    line(child, /^The gate listens on /),
  ])
  return {
    child,
    ended: done,
    origin: new URL(management.split(' ').at(-1) ?? '').origin,
    gate: gate.split(' ').at(-1) ?? '',
    firstToken,
  }
}

/** Ends it and gives what it printed. */
export function stopServing({ child, ended: done }: Serving, signal: NodeJS.Signals = 'SIGTERM') {
  child.kill(signal)
  return done
}

/** A client whose answers are judged by the OpenAPI document. */
export const clientOf = ({ origin }: Serving, apiToken: string): Cloudflare =>
  new Cloudflare({
    apiToken,
    baseURL: `${origin}/client/v4`,
    maxRetries: 0,
    fetch: judgedFetch(origin),
  })

export interface Through {
  readonly status: number
  readonly body: string
}

/** Sends a request for a host through the gate. */
export function through(
  { gate }: Pick<Serving, 'gate'>,
  host: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Through> {
  return new Promise((resolve, reject) => {
    const sent = request(gate + path, { agent: false, headers: { ...headers, host } }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (part: string) => (body += part))
      answer.once('error', reject).once('end', () => {
        resolve({ status: answer.statusCode ?? 0, body })
      })
    })
    sent.once('error', reject).end()
  })
}
