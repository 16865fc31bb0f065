import { constants, createHmac, createSecretKey, sign } from 'node:crypto'
import { makeKeyPair } from './make-key-pair.mjs'

/** The five algorithms that the tables show; the others cost like their neighbours. */
export const ALGS = ['HS256', 'RS256', 'PS256', 'ES256', 'ES384']

export const ISSUER = 'https://issuer.example'
export const AUDIENCE = 'https://api.example'

const DAY = 86_400
/** 2^32 divided by the golden ratio: its multiples lie far apart. */
const GOLDEN_RATIO = 0x9e3779b1
/** Characters of a line that are written for each use of it. */
const WRITTEN = 4
/** Taken out, as V8 looks for a method of a buffer at every call. */
const { latin1Slice } = Buffer.prototype
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const pairs = {
  RS: () => makeKeyPair('rsa', { modulusLength: 2048 }),
  PS: () => makeKeyPair('rsa', { modulusLength: 2048 }),
  ES256: () => makeKeyPair('ec', { namedCurve: 'P-256' }),
  ES384: () => makeKeyPair('ec', { namedCurve: 'P-384' }),
}

/** A key with its JWK and the KeyObjects that peers want. */
export function makeKey(alg) {
  const kid = `key-${alg.toLowerCase()}-2024`
  if (alg.startsWith('HS')) {
    const secret = createHmac('sha256', 'bench').update(kid).digest()
    const key = createSecretKey(secret)
    return {
      alg,
      kid,
      jwk: { kty: 'oct', alg, kid, k: secret.toString('base64url') },
      publicKey: key,
      privateKey: key,
      secret,
    }
  }
  const { publicKey, privateKey } = (pairs[alg] ?? pairs[alg.slice(0, 2)])()
  return {
    alg,
    kid,
    jwk: { ...publicKey.export({ format: 'jwk' }), alg, kid },
    publicKey,
    privateKey,
  }
}

/**
 * A token of a usual shape: 393 bytes of payload.
 *
 * @param n makes it another one
 * @param expires seconds from now
 * @param header members in place of the usual ones
 */
export function makeToken(key, n = 0, { expires = DAY, header = {} } = {}) {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: ISSUER,
    aud: [AUDIENCE, 'https://issuer.example/userinfo'],
    sub: `auth0|${String(n).padStart(24, '0')}`,
    iat: now,
    exp: now + expires,
    azp: 'd1f2e3c4b5a697887766554433221100',
    jti: `0123456789abcdef${String(n).padStart(16, '0')}`,
    scope: 'openid profile email read:orders write:orders',
    tenant: 'acme-production-eu',
    roles: ['customer', 'beta-tester'],
    org_id: 'org_9f8e7d6c5b4a3210',
  }
  const named = { alg: key.alg, typ: 'JWT', kid: key.kid, ...header }
  const input = `${segment(named)}.${segment(payload)}`
  return `${input}.${signature(key, Buffer.from(input)).toString('base64url')}`
}

/** Distinct good tokens of one key. */
export const makeTokens = (key, count) => Array.from({ length: count }, (_, n) => makeToken(key, n))

function segment(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signature({ alg, privateKey }, data) {
  const digest = `sha${alg.slice(2)}`
  if (alg.startsWith('HS')) return createHmac(digest, privateKey).update(data).digest()
  if (alg.startsWith('ES'))
    return sign(digest, data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  if (alg.startsWith('RS')) return sign(digest, data, privateKey)
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return sign(digest, data, { key: privateKey, padding, saltLength: Number(alg.slice(2)) / 8 })
}

/** The same token with another signature of the same length. */
export function spoil(token) {
  const at = token.lastIndexOf('.') + 5
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}

/**
 * Hands out header lines as they arrive, each a string nobody has seen before, so that no hash of it
 * is remembered between operations.
 */
export function freshLines(tokens) {
  const lines = tokens.map((token) => Buffer.from(`Bearer ${token}`, 'latin1'))
  return (i) => {
    const line = lines[i % lines.length]
    return latin1Slice.call(line, 0, line.length)
  }
}

/**
 * The same of tokens with a bad signature, near the end of which each has characters of its own: no two
 * are alike.
 */
export function badLines(tokens) {
  return writtenLines(tokens.map(spoil), (i) => Math.imul(i, GOLDEN_RATIO))
}

/** The same of good tokens, which cost as much to make: what is written into each is what it has. */
export function goodLines(tokens) {
  const own = tokens.map((token) => {
    let bits = 0
    for (let at = 0; at < WRITTEN; at++) bits |= ALPHABET.indexOf(token.at(-3 - at)) << (6 * at)
    return bits
  })
  return writtenLines(tokens, (i) => own[i % own.length])
}

function writtenLines(tokens, bitsOf) {
  const lines = tokens.map((token) => Buffer.from(`Bearer ${token}`, 'latin1'))
  return (i) => {
    const line = lines[i % lines.length]
    const bits = bitsOf(i)
    for (let at = 0; at < WRITTEN; at++)
      line[line.length - 3 - at] = ALPHABET.charCodeAt((bits >> (6 * at)) & 63)
    return latin1Slice.call(line, 0, line.length)
  }
}

/** The tokens of such lines. */
export function fresh(tokens) {
  const line = freshLines(tokens)
  return (i) => line(i).slice(7)
}
