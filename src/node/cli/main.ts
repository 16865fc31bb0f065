#!/usr/bin/env node
import { packageVersion } from '../package-version.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { processTerminal, type Terminal } from './terminal.js'

/** The commands by their names, each loaded when it is asked for: `check` needs no store and no proxy. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async () => (await import('./serve.js')).serve],
  ['zone', async () => (await import('./zone.js')).zone],
  ['token', async () => (await import('./token.js')).token],
  ['operations', async () => (await import('./operations.js')).operations],
  ['secrets', async () => (await import('./secrets.js')).secrets],
  ['backup', async () => (await import('./backup.js')).backup],
  ['restore', async () => (await import('./restore.js')).restore],
  ['gate', async () => (await import('./gate.js')).gate],
  ['check', async () => (await import('./check.js')).check],
  ['explain', async () => (await import('./explain.js')).explain],
  ['demo', async () => (await import('./demo.js')).demo],
])
/** In no list: it is what other commands start. */
const loadWorker = async (): Promise<Command> => (await import('./worker.js')).worker

/** Runs one command line. Everything a command can foresee ends in an exit code, not in a stack. */
export async function main(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name = '', ...rest] = args
  if (name === '--version' || name === '-v') return say(terminal, packageVersion())
  if (name === '' || name === '--help' || name === '-h' || name === 'help') {
    const command = await COMMANDS.get(rest[0] ?? '')?.()
    terminal.out(command?.help ?? (await overview()))
    return name === '' ? 2 : 0
  }
  const load = name === 'worker' ? loadWorker : COMMANDS.get(name)
  if (load === undefined) return misused(terminal, `unknown command '${name}'`, '')
  const command = await load()
  if (rest.includes('--help') || rest.includes('-h')) return say(terminal, command.help)
  if (rest.includes('--version')) return say(terminal, packageVersion())
  try {
    return await command.run(rest, terminal)
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause
    return misused(terminal, cause.message, ` ${name}`)
  }
}

function say(terminal: Terminal, text: string): ExitCode {
  terminal.out(text)
  return 0
}

function misused(terminal: Terminal, message: string, command: string): ExitCode {
  terminal.err(`portcullis: ${message}`)
  terminal.err(`Try 'portcullis${command} --help'.`)
  return 2
}

async function overview(): Promise<string> {
  const commands = await Promise.all([...COMMANDS.values()].map((load) => load()))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`)
  return `Usage: portcullis COMMAND [options]

Decides whether a request carries a token good enough for the operation it asks for.

${lines.join('\n')}

\`portcullis COMMAND --help\` teaches each; \`--version\` tells the version.
Exit codes: 0 ok, 1 findings or a refusal, 2 usage.`
}

process.exitCode = await main(process.argv.slice(2), processTerminal())
