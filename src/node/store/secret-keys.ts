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

/**
 * Leaves the newest key alone in the file: nothing that the others sealed can be opened any more.
 * @throws {SecretKeyError} `busy` when the newest one is not `newest`: somebody else has added it
 */
export async function dropOldSecretKeys(file: string, newest: Uint8Array): Promise<void> {
  const unlock = await lock(file)
  try {
    const [first] = parse(await readPrivate(file), file)
    if (first === undefined || !Buffer.from(first).equals(newest))
      throw new SecretKeyError('busy', 'another process has added a key meanwhile; none is dropped')
    await rename(await writeBeside(file, `${textOf(newest)}\n`), file)
  } finally {
    await unlock()
  }
}

/** Another text after every change of the keys. Those of the environment do not change. */
export async function secretKeysStamp(
  file: string,
  environment: string | undefined,
): Promise<string> {
  if (environment !== undefined && environment.trim() !== '') return ''
  // The file may be missing still, and is never written in place.
  const found = await stat(file).catch(() => undefined)
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
}

/** Of two that change the keys at once, the file would keep only what one of them wrote. */
async function lock(file: string): Promise<() => Promise<void>> {
  const taken = `${file}.lock`
  const handle = await open(taken, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
    const text = `another process is changing the keys; when there is none, remove ${taken}`
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

const newKey = (): string => textOf(randomBytes(32))

const textOf = (key: Uint8Array): string => Buffer.from(key).toString('base64url')

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
