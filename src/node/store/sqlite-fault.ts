import type { StoreFault } from '../../management/index.js'

/** Primary result codes: https://www.sqlite.org/rescode.html */
const FAULTS: ReadonlyMap<number, StoreFault> = new Map([
  [5, 'busy'],
  [6, 'busy'],
  [8, 'read_only'],
  // The disk fails, or a limit of the operating system is reached.
  [10, 'away'],
  [13, 'full'],
  [14, 'away'],
])

/** What an error of `node:sqlite` means when it is the file's or the disk's. */
export function sqliteFault(cause: unknown): StoreFault | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause)) return undefined
  // The higher bits tell it more exactly.
  return FAULTS.get(Number(cause.errcode) & 0xff)
}
