import { fork } from 'node:child_process'
import { ReadingError, type Reading, type ReadingFault } from '../../management/index.js'
import type { Assignment } from './assignment.js'

/** What reading one document may cost. */
export interface ProcessLimits {
  /** Time from the start of the process. Default 30 s. */
  readonly withinMs: number
  /** Of its heap. Default 512 MB. */
  readonly memoryMb: number
}

/** Characters kept of what a process that breaks writes. */
const MAX_COMPLAINT = 4096

/**
 * Has a process read one document, and ends it. A thread would not do: one that comes to the end of its
 * heap may take its process along.
 *
 * @param ended when nobody waits for it any more
 * @throws {ReadingError} `slow`, `large` or, once it is `ended`, `busy`, as a rejection; whatever else
 * ended the process
 */
export function readInProcess(
  program: string,
  assignment: Assignment,
  { withinMs, memoryMb }: ProcessLimits,
  ended?: AbortSignal,
): Promise<Reading> {
  if (ended?.aborted) return Promise.reject(new ReadingError('busy'))
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // It reads what strangers wrote, and needs nothing else.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    complaint = (complaint + part).slice(0, MAX_COMPLAINT)
  })
  return new Promise<Reading>((resolve, reject) => {
    const giveUp = (fault: ReadingFault) => {
      reject(new ReadingError(fault))
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => giveUp('slow'), withinMs)
    const end = () => giveUp('busy')
    const settle = () => {
      clearTimeout(timer)
      ended?.removeEventListener('abort', end)
    }
    ended?.addEventListener('abort', end)
    child.once('message', (reading) => resolve(reading as Reading))
    child.on('error', (cause) => {
      settle()
      reject(cause)
    })
    child.once('close', (code, signal) => {
      settle()
      // After an answer, or an error, this says nothing new.
      reject(
        isOutOfMemory(code, signal) ? new ReadingError('large') : why(code ?? signal, complaint),
      )
    })
    // Where it did not start, or ended before it read, an event says so.
    if (child.connected) child.send(assignment, () => {})
  })
}

/** V8 ends a process that has no heap left by `abort`. */
const isOutOfMemory = (code: number | null, signal: string | null): boolean =>
  signal === 'SIGABRT' || code === 134

function why(how: number | string | null, complaint: string): Error {
  const error = complaint.split('\n').find((line) => /^\w*Error\b/.test(line))
  return new Error(`the process of a document ended with ${how}${error ? `: ${error}` : ''}`)
}
