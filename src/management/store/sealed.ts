/** Seals secret text for the database and opens it again. */
export interface Sealer {
  /** `context` is bound to the sealed text: it opens for the same context only. */
  seal(secret: string, context: string): Promise<string>
  /** @throws {SealError} for a key that is not in the ring, or a text that was tampered with. */
  open(sealed: string, context: string): Promise<string>
  /** False for what an older key of the ring sealed. */
  isCurrent(sealed: string): boolean
}

/** A sealed text that cannot be opened. */
export class SealError extends Error {
  override readonly name = 'SealError'
  readonly code: 'bad_ring' | 'unknown_key' | 'tampered'

  constructor(code: SealError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const KEY_BYTES = 32
const IV_BYTES = 12
const ALGORITHM = 'AES-GCM'

/**
 * Makes a sealer (AES-256-GCM) of a ring of keys, 32 bytes each. The first seals, all open.
 *
 * @throws {SealError} `bad_ring` for an empty ring or a key of another length.
 */
export async function createSealer(
  ring: readonly Uint8Array[],
  random: (bytes: number) => Uint8Array,
): Promise<Sealer> {
  const [first, ...older] = await Promise.all(ring.map(importKey))
  if (first === undefined) throw badRing()
  const [current, sealing] = first
  const keys = new Map([first, ...older])
  return {
    async seal(secret, context) {
      const iv = new Uint8Array(random(IV_BYTES))
      const data = await crypto.subtle.encrypt(
        { name: ALGORITHM, iv, additionalData: utf8(context) },
        sealing,
        utf8(secret),
      )
      return ['v1', current, encode(iv), encode(new Uint8Array(data))].join('.')
    },
    async open(sealed, context) {
      const [, id = '', iv = '', data = ''] = sealed.split('.')
      const key = keys.get(id)
      if (key === undefined)
        throw new SealError('unknown_key', `sealed with the key ${id}, which is not in the ring`)
      try {
        const algorithm = { name: ALGORITHM, iv: decode(iv), additionalData: utf8(context) }
        return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, decode(data)))
      } catch {
        throw new SealError('tampered', `what the key ${id} sealed does not open here`)
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`v1.${current}.`),
  }
}

const badRing = (): SealError =>
  new SealError('bad_ring', `a secret key has ${KEY_BYTES} bytes, and there is at least one`)

async function importKey(bytes: Uint8Array): Promise<readonly [id: string, key: CryptoKey]> {
  if (bytes.length !== KEY_BYTES) throw badRing()
  const own = new Uint8Array(bytes)
  const key = await crypto.subtle.importKey('raw', own, ALGORITHM, false, ['encrypt', 'decrypt'])
  return [await keyId(own), key]
}

/** Names a key without telling anything of use about it. */
async function keyId(key: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', key))
  return [...digest.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  )
