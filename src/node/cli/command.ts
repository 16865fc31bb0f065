import type { Terminal } from './terminal.js'

/** 0: ok; 1: findings or a refusal; 2: the command line itself is wrong. */
export type ExitCode = 0 | 1 | 2

/** One subcommand of `portcullis`. */
export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** What `--help` prints. */
  readonly help: string
  run(args: readonly string[], terminal: Terminal): Promise<ExitCode>
}

/** A command line that cannot be meant: exit code 2, and where to read on. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
