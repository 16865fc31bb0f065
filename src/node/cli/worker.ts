import type { GateHooks } from '../workers/index.js'
import { runWorker } from '../workers/index.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { printHooks, type Printing } from './print-hooks.js'
import { painter } from './terminal.js'

/** How a gate in another process tells what happens. */
export type Voice =
  | { readonly log: string }
  /** Colour is a matter of where it is printed in the end, which that process does not see. */
  | { readonly print: Printing; readonly colour: boolean }

/** What a worker must not inherit: it needs none of it. */
const SECRET_VARIABLES = ['PORTCULLIS_API_TOKEN', 'PORTCULLIS_SECRET_KEY', 'PORTCULLIS_GATE_TOKEN']

/** How `--workers N` starts its processes: this program again, with a command that is for it alone. */
export const workersOption = (workers: number) => ({
  workers,
  program: [process.argv[1] ?? '', 'worker'] as const,
  secretVariables: SECRET_VARIABLES,
})

/**
 * The number of processes that an option asks for.
 * @throws {UsageError}
 */
export function workerCount(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  throw new UsageError(`expected --workers 0 to 99, found '${text}'`)
}

/** `portcullis worker`: a gate that another process of this program runs. In no list of commands. */
export const worker: Command = {
  name: 'worker',
  summary: 'a gate process of serve or gate',
  help: 'Started by `portcullis serve` and `portcullis gate` with --workers; by nobody else.',

  async run(_args, terminal): Promise<ExitCode> {
    if (process.send === undefined) throw new UsageError('this command is for gate processes alone')
    const { createLogger, gateLog } = await import('../log/index.js')
    runWorker((voice): GateHooks => {
      const told = voice as Voice
      if ('print' in told)
        return printHooks({ ...terminal, paint: painter(told.colour) }, told.print)
      return gateLog(createLogger(told.log, { pid: process.pid }))
    })
    // It ends when it is told to, or with the process that started it.
    return new Promise(() => {})
  },
}
