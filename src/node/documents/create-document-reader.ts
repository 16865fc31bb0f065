import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ReadingError, type DocumentReader } from '../../management/index.js'
import { readInProcess, type ProcessLimits } from './read-in-process.js'

/** How documents are read. */
export interface DocumentReaderOptions extends Partial<ProcessLimits> {
  /** How many documents wait while one is read; what comes then is refused. Default 16. */
  readonly waiting?: number
  /** Gives up what is being read, and refuses what comes: reading keeps this process alive. */
  readonly ended?: AbortSignal
  /** What reads a document; the package's own by default. */
  readonly program?: string
}

/** Ten times what the worst document of a megabyte takes where nothing else runs. */
const WITHIN_MS = 30_000
const MEMORY_MB = 512
const WAITING = 16

/**
 * Reads OpenAPI documents for `createManagement`, each in a process that ends with it and one after the
 * other: the largest one takes seconds, in which nothing else would be answered. One that takes too
 * long or too much memory is given up. Rejects with a {@link ReadingError} then.
 */
export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader {
  const { waiting = WAITING, withinMs = WITHIN_MS, memoryMb = MEMORY_MB } = options
  const { program = ownProgram(), ended } = options
  const limits = { withinMs, memoryMb }
  let last: Promise<unknown> = Promise.resolve()
  let open = 0
  return async (text, zone) => {
    if (open > waiting) throw new ReadingError('busy')
    open++
    const reading = last.then(() => readInProcess(program, { text, zone }, limits, ended))
    last = reading.catch(() => {})
    try {
      return await reading
    } finally {
      open--
    }
  }
}

/** By the package's own name, which resolves alike from sources and from the bundle. */
function ownProgram(): string {
  const manifest = createRequire(import.meta.url).resolve('portcullis/package.json')
  return join(dirname(manifest), 'dist/node/documents/document-program.js')
}
