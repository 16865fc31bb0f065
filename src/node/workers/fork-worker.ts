import { fork, type ChildProcess } from 'node:child_process'

/** A program for processes that are told what to do. */
export interface WorkerProgram {
  /** It calls `runWorker`; with its arguments. */
  readonly program: readonly [file: string, ...args: readonly string[]]
  /** Names of environment variables that are none of its business. */
  readonly secretVariables: readonly string[]
}

/** Where a worker finds the socket that it inherits: after its three streams and the channel. */
export const INHERITED_FD = 4

/**
 * A small young generation: while a large policy is compiled, V8's own 16 MB of it would be swept in
 * pauses of 20 ms, and large bodies would leave more behind. It costs a request 4 % at most.
 */
const YOUNG_GENERATION = '--max-semi-space-size=1'

/**
 * Starts a process that inherits a socket as {@link INHERITED_FD}.
 *
 * @param output whether it prints to this process, or where this one does
 */
export function forkWorker(
  { program: [file, ...args], secretVariables }: WorkerProgram,
  socket: number,
  output: 'pipe' | 'inherit',
): ChildProcess {
  const without = Object.fromEntries(secretVariables.map((name) => [name, undefined]))
  return fork(file, args, {
    env: { ...process.env, ...without },
    execArgv: [...process.execArgv, YOUNG_GENERATION],
    serialization: 'advanced',
    stdio: ['inherit', output, output, 'ipc', socket],
  })
}
