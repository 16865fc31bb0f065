import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A pipe of the system, which is read in pieces shorter than a line, each a while after the one before. */
export function slowPipe(folder: string) {
  const name = join(folder, 'pipe')
  execFileSync('mkfifo', [name])
  const from = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK)
  const to = openSync(name, constants.O_WRONLY)
  const piece = Buffer.alloc(1000)
  let text = ''
  /** False at the end. */
  function read(): boolean {
    try {
      const length = readSync(from, piece)
      text += piece.toString('utf8', 0, length)
      return length > 0
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause
      return true
    }
  }
  return {
    /** For whoever writes; this process has to close it for the pipe to end. */
    to,
    /** All lines, when all who write are gone. */
    async lines(): Promise<string[]> {
      while (read()) await delay(1)
      closeSync(from)
      return text.split('\n').slice(0, -1)
    },
  }
}
