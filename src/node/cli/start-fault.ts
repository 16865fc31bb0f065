import { WorkerEnded } from '../workers/index.js'
import { faultsOf, printIssue } from './policy-report.js'
import { onStderr, type Terminal } from './terminal.js'

/** Whether it is the gate that does not start, whatever its policy says. */
export const isStartFault = (cause: unknown): boolean =>
  cause instanceof WorkerEnded || (cause instanceof Error && 'syscall' in cause)

/** Tells why a gate does not start. Anything that it cannot foresee is thrown again. */
export function printStartFault(cause: unknown, file: string, terminal: Terminal): void {
  if (cause instanceof WorkerEnded)
    return terminal.err(`portcullis: cannot start: ${cause.message}`)
  if (cause instanceof Error && 'syscall' in cause)
    return terminal.err(`portcullis: cannot listen: ${cause.message}`)
  // Of a worker, only the code is left of an error's kind.
  if (cause instanceof Error && 'code' in cause && cause.code === 'GRPC_MISSING')
    return terminal.err(`portcullis: ${cause.message}`)
  for (const issue of faultsOf(cause)) printIssue(onStderr(terminal), file, 'error', issue)
}
