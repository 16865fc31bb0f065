import { constants, createHmac, timingSafeEqual, verify as nodeVerify } from 'node:crypto'
import { createVerifier as createFastVerifier } from 'fast-jwt'
import { importJWK, jwtVerify } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { createVerifier, importKeySet, webCrypto } from 'portcullis'
import { nodeCrypto } from 'portcullis/node'
import { measure } from './measure.mjs'
import { ALGS, fresh, makeKey, makeToken, spoil } from './tokens.mjs'

/**
 * Verification of tokens never seen before, good ones and ones with a bad signature, beside the bare
 * cryptography (the ratio is against it) and peers. Everyone checks signature, exp and nbf.
 */
export async function run() {
  const rows = []
  for (const alg of ALGS) {
    const key = makeKey(alg)
    const verifiers = Object.entries(await contenders(key))
    const good = Array.from({ length: 64 }, (_, n) => makeToken(key, n))
    for (const [group, tokens] of [
      [`${alg}, valid`, good],
      [`${alg}, bad signature`, good.map(spoil)],
    ]) {
      const isGood = tokens === good
      const next = fresh(tokens)
      const candidates = [
        { name: 'node:crypto alone', run: floor(key, tokens) },
        ...verifiers.map(([name, verify]) => ({
          name,
          run: (i) => verify(next(i)),
        })),
      ].map((candidate) => ({ ...candidate, verify: expecting(isGood, candidate.name) }))
      const measured = await measure(group, candidates)
      rows.push(...measured.map((row) => ({ ...row, group })))
    }
  }
  return { title: 'verify', rows }
}

/** Each takes a token and says whether it is good. */
async function contenders({ alg, jwk, publicKey, secret }) {
  const now = Date.now() / 1000
  const ours = (crypto) => {
    const keySet = importKeySet([jwk], crypto)
    const verifier = createVerifier({ crypto })
    return (token) => verifier.verify(token, keySet, now)
  }
  const web = ours(webCrypto())
  const node = ours(nodeCrypto())
  const joseKey = await joseKeyOf(jwk, secret)
  const pem = secret ?? publicKey.export({ type: 'spki', format: 'pem' })
  const fast = createFastVerifier({ key: pem, algorithms: [alg], cache: false })
  return {
    'portcullis, node:crypto': (token) => node(token).status === 'valid',
    'portcullis, WebCrypto': async (token) => (await web(token)).status === 'valid',
    jose: (token) => jwtVerify(token, joseKey, { algorithms: [alg] }).then(yes, no),
    'fast-jwt': (token) => holds(() => fast(token)),
    jsonwebtoken: (token) =>
      holds(() => jsonwebtoken.verify(token, publicKey, { algorithms: [alg] })),
  }
}

/** The signature check with everything decoded beforehand, in the quickest shape Node has. */
function floor({ alg, publicKey }, tokens) {
  const digest = `sha${alg.slice(2)}`
  const parts = tokens.map((token) => {
    const dot = token.lastIndexOf('.')
    return [Buffer.from(token.slice(0, dot)), Buffer.from(token.slice(dot + 1), 'base64url')]
  })
  const key = {
    HS: publicKey,
    RS: publicKey,
    PS: { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: alg.slice(2) / 8 },
    ES: { key: publicKey, dsaEncoding: 'ieee-p1363' },
  }[alg.slice(0, 2)]
  return (i) => {
    const [data, signature] = parts[i % parts.length]
    if (!alg.startsWith('HS')) return nodeVerify(digest, data, key, signature)
    return timingSafeEqual(createHmac(digest, key).update(data).digest(), signature)
  }
}

/** jose takes bytes for HMAC and imports them at each call; a CryptoKey spares it that. */
function joseKeyOf(jwk, secret) {
  if (secret === undefined) return importJWK(jwk)
  const algorithm = { name: 'HMAC', hash: `SHA-${jwk.alg.slice(2)}` }
  return crypto.subtle.importKey('raw', secret, algorithm, false, ['verify'])
}

function holds(verify) {
  try {
    verify()
    return true
  } catch {
    return false
  }
}

const yes = () => true
const no = () => false

function expecting(expected, name) {
  return (result) => {
    if (result !== expected) throw new Error(`${name} says ${result}, expected ${expected}`)
  }
}
