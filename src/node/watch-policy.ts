import { statSync, watch, type FSWatcher } from 'node:fs'
import { dirname } from 'node:path'

/** Editors write in several steps; one reading after the last of them is enough. */
const SETTLE_MS = 100
/** For changes that the folder does not tell of. */
const LOOK_MS = 1000

/**
 * Calls `changed` after the file was written or replaced. The folder is watched, since editors and
 * deployments replace files rather than write into them. Where a link leads to the file or to its
 * folder, what is behind it may change without a word: the file itself is looked at now and then.
 * Returns what ends the watching.
 */
export function watchPolicy(path: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let known = stampOf(path)
  let latest = known
  // Only the file tells whether it is still being written: others in the folder may change all the time.
  const look = () => {
    timer = undefined
    const stamp = stampOf(path)
    if (stamp === known) return
    if (stamp === latest) {
      known = stamp
      changed()
    } else {
      latest = stamp
      timer = setTimeout(look, SETTLE_MS)
    }
  }
  const heard = () => {
    if (timer === undefined) look()
  }
  const watcher = watcherOf(dirname(path) || '.', heard)
  const looking = setInterval(heard, LOOK_MS)
  return () => {
    clearInterval(looking)
    clearTimeout(timer)
    watcher?.close()
  }
}

/** Undefined where the system watches no more folders: then the look of each second has to do. */
function watcherOf(folder: string, heard: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, heard)
    return watcher.on('error', () => watcher.close())
  } catch {
    return undefined
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
