import type { ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'
import { wholeLines } from './whole-lines.js'

/** The streams that other processes print to by way of this one. */
export interface PrintTo {
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * Prints what another process prints, in whole lines: where processes write to one pipe themselves
 * and its reader is slow, the lines of one end up within those of another. Resolves when the process
 * is gone and everything is printed, or nobody reads it any more.
 */
export async function passOn(
  { stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>,
  to: PrintTo,
): Promise<void> {
  await Promise.all([copy(stdout, to.stdout), copy(stderr, to.stderr)])
}

/** Of what is not taken no more is read: it waits in the process that printed it. */
async function copy(from: AsyncIterable<Buffer> | null | undefined, to: Writable): Promise<void> {
  // A process that could not be started has no streams.
  if (!from) return
  for await (const lines of wholeLines(from))
    await new Promise<void>((taken) => {
      // Where nobody reads any more it fails, and is read on: the other process is not to be held up.
      to.write(lines, () => taken())
    })
}
