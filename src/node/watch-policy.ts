import { statSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Editors write in several steps; one reading after the last of them is enough. */
const SETTLE_MS = 100

/**
 * Calls `changed` after the file was written or replaced. The folder is watched, since editors and
 * deployments replace files rather than write into them; where the file is a link into a folder that
 * is replaced as a whole, only the file itself tells that it is another one. Returns what ends the
 * watching.
 */
export function watchPolicy(path: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let known = stampOf(path)
  const look = () => {
    const stamp = stampOf(path)
    if (stamp !== known) changed()
    known = stamp
  }
  const watcher = watch(dirname(path) || '.', () => {
    clearTimeout(timer)
    timer = setTimeout(look, SETTLE_MS)
  })
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

/** Another one after every change of what the path leads to. */
function stampOf(path: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch (cause) {
    // Whoever reads the file next is told the same, and tells it.
    return String(cause)
  }
}
