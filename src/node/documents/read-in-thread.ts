import { Worker } from 'node:worker_threads'
import { ReadingError, type Reading, type ReadingFault } from '../../management/index.js'
import type { Assignment } from './assignment.js'

/** What reading one document may cost. */
export interface ThreadLimits {
  /** Time from the start of the thread. Default 30 s. */
  readonly withinMs: number
  /** Of its heap. Default 512 MB. */
  readonly memoryMb: number
}

/**
 * Has a thread read one document, and ends it.
 * @param ended when nobody waits for it any more
 * @throws {ReadingError} `slow`, `large` or, once it is `ended`, `busy`, as a rejection; whatever else
 * ended the thread
 */
export function readInThread(
  file: string,
  assignment: Assignment,
  { withinMs, memoryMb }: ThreadLimits,
  ended?: AbortSignal,
): Promise<Reading> {
  if (ended?.aborted) return Promise.reject(new ReadingError('busy'))
  const thread = new Worker(file, {
    workerData: assignment,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // It reads what strangers wrote, and needs nothing else.
    env: {},
    execArgv: [],
  })
  return new Promise<Reading>((resolve, reject) => {
    const giveUp = (fault: ReadingFault) => {
      reject(new ReadingError(fault))
      void thread.terminate()
    }
    const timer = setTimeout(() => giveUp('slow'), withinMs)
    const end = () => giveUp('busy')
    ended?.addEventListener('abort', end)
    thread.once('message', resolve)
    thread.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ReadingError('large') : cause),
    )
    thread.once('exit', (code) => {
      clearTimeout(timer)
      ended?.removeEventListener('abort', end)
      // After an answer, or an error, this says nothing new.
      reject(new Error(`the thread of a document ended with ${code}`))
    })
  })
}
