#!/usr/bin/env node
import { packageVersion } from '../package-version.js'
import { backup } from './backup.js'
import { check } from './check.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { demo } from './demo.js'
import { explain } from './explain.js'
import { gate } from './gate.js'
import { operations } from './operations.js'
import { restore } from './restore.js'
import { secrets } from './secrets.js'
import { serve } from './serve.js'
import { processTerminal, type Terminal } from './terminal.js'
import { token } from './token.js'
import { worker } from './worker.js'
import { zone } from './zone.js'

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [serve, zone, token, operations, secrets, backup, restore, gate, check, explain, demo].map(
    (command) => [command.name, command],
  ),
)

/** Runs one command line. Everything a command can foresee ends in an exit code, not in a stack. */
export async function main(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name = '', ...rest] = args
  if (name === '--version' || name === '-v') return say(terminal, packageVersion())
  if (name === '' || name === '--help' || name === '-h' || name === 'help') {
    const command = COMMANDS.get(rest[0] ?? '')
    terminal.out(command?.help ?? overview())
    return name === '' ? 2 : 0
  }
  const command = name === worker.name ? worker : COMMANDS.get(name)
  if (command === undefined) return misused(terminal, `unknown command '${name}'`, '')
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

function overview(): string {
  const lines = [...COMMANDS.values()].map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`)
  return `Usage: portcullis COMMAND [options]

Decides whether a request carries a token good enough for the operation it asks for.

${lines.join('\n')}

\`portcullis COMMAND --help\` teaches each; \`--version\` tells the version.
Exit codes: 0 ok, 1 findings or a refusal, 2 usage.`
}

process.exitCode = await main(process.argv.slice(2), processTerminal())
