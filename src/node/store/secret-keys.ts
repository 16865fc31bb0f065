import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'

const KEY = /^[A-Za-z0-9_-]{43}$/

/** Secret keys that cannot be used. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
  readonly code: 'not_a_key' | 'open_to_others' | 'unreadable' | 'busy'

  constructor(code: SecretKeyError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The keys that seal secrets, the newest first: from the text of `PORTCULLIS_SECRET_KEY` (separated
 * by commas or space), else from a file of mode 0600, one key a line, which is made when missing.
 * A key is 32 bytes in unpadded base64url.
 *
 * @throws {SecretKeyError} which never repeats a key.
 */
export async function readSecretKeys(
  file: string,
  environment: string | undefined,
): Promise<readonly Uint8Array[]> {
  if (environment !== undefined && environment.trim() !== '')
    return parse(environment, 'PORTCULLIS_SECRET_KEY')
  await makeFile(file).catch((cause: NodeJS.ErrnoException) => {
    // Another process was quicker, or it was there: its keys count.
    if (cause.code !== 'EEXIST') throw new SecretKeyError('unreadable', cause.message)
  })
  return parse(await readPrivate(file), file)
}

/** Puts a new key in front of those in the file. What older ones sealed is still to be sealed anew. */
export async function addSecretKey(file: string): Promise<readonly Uint8Array[]> {
  const unlock = await lock(file)
  try {
    const text = `${newKey()}\n${await readPrivate(file)}`
    await rename(await writeBeside(file, text), file)
    return parse(text, file)
  } finally {
    await unlock()
  }
}

/** Of two that add a key at once, the file would keep only one. */
async function lock(file: string): Promise<() => Promise<void>> {
  const taken = `${file}.lock`
  const handle = await open(taken, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
    const text = `another process is adding a key; when there is none, remove ${taken}`
    throw new SecretKeyError('busy', text)
  })
  await handle.close()
  return () => rm(taken)
}

/** The file appears whole or not at all. */
async function makeFile(file: string): Promise<void> {
  const next = await writeBeside(file, `${newKey()}\n`)
  try {
    await link(next, file)
  } finally {
    await rm(next)
  }
}

const newKey = (): string => randomBytes(32).toString('base64url')

async function writeBeside(file: string, text: string): Promise<string> {
  const next = `${file}.${randomBytes(6).toString('hex')}.new`
  const handle = await open(next, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return next
}

async function readPrivate(file: string): Promise<string> {
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0)
    throw new SecretKeyError('open_to_others', `${file} must have mode 0600: chmod 600 it`)
  return readFile(file, 'utf8')
}

function parse(text: string, where: string): readonly Uint8Array[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '')
  if (keys.length === 0 || keys.some((key) => !KEY.test(key)))
    throw new SecretKeyError(
      'not_a_key',
      `${where} must hold keys of 32 bytes in unpadded base64url (43 characters)`,
    )
  return keys.map((key) => Uint8Array.from(Buffer.from(key, 'base64url')))
}
