import { JwtVerifier } from 'aws-jwt-verify'
import { createVerifier as createFastVerifier } from 'fast-jwt'
import { verify as honoVerify } from 'hono/jwt'
import { jwtVerify } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { createVerifier, importKeySet, webCrypto } from 'portcullis'
import { nodeCrypto } from 'portcullis/node'
import { ISSUER } from './tokens.mjs'
import { webCryptoKey } from './web-crypto-key.mjs'

/**
 * Verifiers of one key in the shape that each maker's fastest call wants: keys imported once, no
 * cache. All look at the clock and check the signature, `exp` and `nbf`, and nothing else that they can
 * be told to leave out; aws-jwt-verify does without HMAC and PSS. Peers parse the claims of every token,
 * this project when somebody reads them, which has a row of its own where tokens are good.
 *
 * @param isGood whether the tokens are: nobody reads the claims of others
 * @returns `{ name, kind, verify(token) }`, where `verify` says whether the token is good
 */
export async function verifiersOf(key, isGood = true) {
  const peers = [await jose(key), fastJwt(key), jsonWebToken(key), await hono(key)]
  if (/^(RS|ES)/.test(key.alg)) peers.push(awsJwtVerify(key))
  const backend = suitsWebCrypto(key) ? webCrypto() : nodeCrypto()
  const own = [{ name: 'portcullis', kind: 'ours', verify: portcullis(key, backend) }]
  if (isGood) {
    const verify = portcullis(key, backend, hasClaims)
    own.push({ name: 'portcullis, claims read', kind: 'ours', verify })
  }
  return [...own, ...peers.map((peer) => ({ ...peer, kind: 'peer' }))]
}

/** In Deno alone, ECDSA by WebCrypto takes less than by node:crypto. */
const suitsWebCrypto = ({ alg }) => process.versions.deno !== undefined && alg.startsWith('ES')

/** This project's verifier with one key and no cache. */
export function portcullis({ jwk }, backend, judge = isValid) {
  const keySet = importKeySet([jwk], backend)
  const verifier = createVerifier({ crypto: backend })
  return (token) => {
    const verdict = verifier.verify(token, keySet, Date.now() / 1000)
    return verdict instanceof Promise ? verdict.then(judge) : judge(verdict)
  }
}

const isValid = ({ status }) => status === 'valid'
const hasClaims = ({ claims }) => claims?.exp > 0

async function jose({ alg, jwk }) {
  const { key } = await webCryptoKey(jwk)
  const options = { algorithms: [alg] }
  return { name: 'jose', verify: (token) => jwtVerify(token, key, options).then(yes, no) }
}

function fastJwt({ alg, publicKey, secret }) {
  const pem = secret ?? publicKey.export({ type: 'spki', format: 'pem' })
  const verify = createFastVerifier({ key: pem, algorithms: [alg], cache: false })
  return { name: 'fast-jwt', verify: (token) => passes(() => verify(token)) }
}

function jsonWebToken({ alg, publicKey }) {
  const options = { algorithms: [alg] }
  const verify = (token) => passes(() => jsonwebtoken.verify(token, publicKey, options))
  return { name: 'jsonwebtoken', verify }
}

async function hono({ alg, jwk }) {
  const { key } = await webCryptoKey(jwk)
  const options = { alg, iat: false }
  return { name: 'hono/jwt', verify: (token) => honoVerify(token, key, options).then(yes, no) }
}

/** It asks for the `kid` in any case. */
export function awsJwtVerify({ jwk }) {
  const jwksUri = `${ISSUER}/jwks`
  const verifier = JwtVerifier.create({ issuer: null, audience: null, jwksUri })
  verifier.cacheJwks({ keys: [jwk] })
  return { name: 'aws-jwt-verify', verify: (token) => passes(() => verifier.verifySync(token)) }
}

function passes(verify) {
  try {
    verify()
    return true
  } catch {
    return false
  }
}

export const yes = () => true
export const no = () => false
