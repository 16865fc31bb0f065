import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A policy that a gate ran, and which version of it that was. */
export interface KeptPolicy {
  readonly version: number
  readonly hash: string
  readonly policy: object
}

/** Where a gate keeps the last good policy of a URL. */
export interface PolicyCache {
  /** `undefined` when there is none. @throws for a file that cannot be read or is none of ours */
  read(): Promise<KeptPolicy | undefined>
  /** Once it resolves the policy is on disk, whole; the file is its owner's alone. */
  write(kept: KeptPolicy): Promise<void>
}

/** The cache of a URL in a folder, which is made when it is missing. */
export function policyCache(folder: string, url: string): PolicyCache {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  const file = join(folder, `policy-${name}.json`)
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'ENOENT') throw cause
      })
      if (text === undefined) return undefined
      const kept = parse(text)
      if (kept === undefined) throw new Error(`${file} holds no policy that a gate has kept`)
      return kept
    },
    async write(kept) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const next = `${file}.${randomBytes(6).toString('hex')}.new`
      try {
        await writeSynced(next, JSON.stringify(kept))
        await rename(next, file)
      } catch (cause) {
        await rm(next, { force: true })
        throw cause
      }
      const directory = await open(folder)
      await directory.sync().finally(() => directory.close())
    },
  }
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function parse(text: string): KeptPolicy | undefined {
  try {
    const kept: unknown = JSON.parse(text)
    return isKept(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

function isKept(value: unknown): value is KeptPolicy {
  if (typeof value !== 'object' || value === null) return false
  const { version, hash, policy } = value as Partial<Record<keyof KeptPolicy, unknown>>
  const isObject = typeof policy === 'object' && policy !== null
  return Number.isSafeInteger(version) && typeof hash === 'string' && isObject
}
