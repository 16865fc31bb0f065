import { Worker } from 'node:worker_threads'
import { ReadingError, type Reading } from '../../management/index.js'
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
 * @throws {ReadingError} `slow` or `large`, as a rejection; whatever else ended the thread
 */
export function readInThread(
  file: string,
  assignment: Assignment,
  { withinMs, memoryMb }: ThreadLimits,
): Promise<Reading> {
  const thread = new Worker(file, {
    workerData: assignment,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // It reads what strangers wrote, and needs nothing else.
    env: {},
    execArgv: [],
  })
  return new Promise<Reading>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ReadingError('slow'))
      void thread.terminate()
    }, withinMs)
    thread.once('message', resolve)
    thread.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ReadingError('large') : cause),
    )
    thread.once('exit', (code) => {
      clearTimeout(timer)
      // After an answer, or an error, this says nothing new.
      reject(new Error(`the thread of a document ended with ${code}`))
    })
  })
}
