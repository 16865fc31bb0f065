import { createSecretKey, sign, createHmac, constants, type KeyObject } from 'node:crypto'
import { makeKeyPair } from '../../../src/node/demo/make-key-pair.js'

/** A key made for one test run, and the way to sign with it. */
export interface SigningKey {
  readonly alg: string
  readonly kid: string
  /** The form a user would configure. */
  readonly jwk: Readonly<Record<string, unknown>>
  readonly privateKey: KeyObject
}

export const ALGS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'HS256',
  'HS384',
  'HS512',
] as const

const CURVES = new Map([
  ['ES256', 'P-256'],
  ['ES384', 'P-384'],
])

// One RSA pair serves all six RSA algorithms: making one takes a while.
const rsa = makeKeyPair()

/** A fresh key; RSA keys share one modulus. */
export function makeKey(alg: string, kid = `kid-${alg}`): SigningKey {
  if (alg.startsWith('HS')) {
    const secret = createHmac('sha512', 'a fixed test secret')
      .update(kid + alg)
      .digest()
    return {
      alg,
      kid,
      jwk: { kty: 'oct', alg, kid, k: secret.toString('base64url') },
      privateKey: createSecretKey(secret),
    }
  }
  const { publicKey, privateKey } = alg.startsWith('ES') ? makeKeyPair(CURVES.get(alg) ?? alg) : rsa
  return { alg, kid, jwk: { ...publicKey.export({ format: 'jwk' }), alg, kid }, privateKey }
}

/** One key for each algorithm. */
export const KEYS: ReadonlyMap<string, SigningKey> = new Map(ALGS.map((alg) => [alg, makeKey(alg)]))

export function keyFor(alg: string): SigningKey {
  return KEYS.get(alg)!
}

/** Base64url of a text, of bytes, or of a value's JSON. */
export function encode(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url')
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString(
    'base64url',
  )
}

/** The signature of `key` over a signing input, as a JWS carries it. */
export function signInput(key: SigningKey, input: string): Buffer<ArrayBuffer> {
  return Buffer.from(signatureOf(key, Buffer.from(input, 'latin1')))
}

function signatureOf({ alg, privateKey }: SigningKey, data: Buffer): Buffer {
  const digest = `sha${alg.slice(2)}`
  if (alg.startsWith('HS')) return createHmac(digest, privateKey).update(data).digest()
  if (alg.startsWith('ES'))
    return sign(digest, data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  if (alg.startsWith('RS')) return sign(digest, data, privateKey)
  return sign(digest, data, {
    key: privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: Number(alg.slice(2)) / 8,
  })
}

export interface TokenParts {
  /** Header members beside, or instead of, the key's alg and kid; text is taken as it stands. */
  readonly header?: Readonly<Record<string, unknown>> | string
  /** The payload: an object, or text or bytes taken as they stand. */
  readonly payload?: unknown
}

/** A token signed by `key`; the header may say anything, the signature is always the key's own. */
export function makeToken(
  key: SigningKey,
  { header = {}, payload = { sub: 'alice' } }: TokenParts = {},
): string {
  const head = typeof header === 'string' ? header : { alg: key.alg, kid: key.kid, ...header }
  const input = `${encode(head)}.${encode(payload)}`
  return `${input}.${signInput(key, input).toString('base64url')}`
}
