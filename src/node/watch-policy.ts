import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Editors write in several steps; one reading after the last of them is enough. */
const SETTLE_MS = 100

/**
 * Calls `changed` after the file was written or replaced. The folder is watched, since editors and
 * deployments replace files rather than write into them. Returns what ends the watching.
 */
export function watchPolicy(path: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(dirname(path) || '.', (_event, name) => {
    if (name !== null && name !== basename(path)) return
    clearTimeout(timer)
    timer = setTimeout(changed, SETTLE_MS)
  })
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
