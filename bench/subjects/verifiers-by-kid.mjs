import { createVerifier as createFastVerifier } from 'fast-jwt'
import { verifyWithJwks } from 'hono/jwt'
import { createLocalJWKSet, jwtVerify } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { awsJwtVerify, no, yes } from './verifiers.mjs'

/**
 * Peers that look their key up by the `kid` of the token, as the documentation of each says: in a set, or
 * by a function, which answers at once. They check what `verifiersOf` does.
 *
 * @returns `{ name, kind, verify(token) }`, where `verify` says whether the token is good
 */
export function verifiersByKid(key) {
  const makers = [joseSet, fastJwtFunction, jsonWebTokenFunction, honoSet, awsJwtVerify]
  return makers.map((make) => ({ ...make(key), kind: 'peer' }))
}

function joseSet({ alg, jwk }) {
  const set = createLocalJWKSet({ keys: [jwk] })
  const options = { algorithms: [alg] }
  const verify = (token) => jwtVerify(token, set, options).then(yes, no)
  return { name: 'jose, createLocalJWKSet', verify }
}

/** It imports the key that the function gives for each token. */
function fastJwtFunction({ alg, kid, publicKey }) {
  const pems = new Map([[kid, publicKey.export({ type: 'spki', format: 'pem' })]])
  const verify = createFastVerifier({
    key: ({ header }, give) => give(null, pems.get(header.kid)),
    algorithms: [alg],
    cache: false,
  })
  return {
    name: 'fast-jwt, key by a function',
    verify: (token) => told((tell) => verify(token, tell)),
  }
}

function jsonWebTokenFunction({ alg, kid, publicKey }) {
  const keys = new Map([[kid, publicKey]])
  const keyOf = (header, give) => give(null, keys.get(header.kid))
  const options = { algorithms: [alg] }
  const verify = (token) => told((tell) => jsonwebtoken.verify(token, keyOf, options, tell))
  return { name: 'jsonwebtoken, key by a function', verify }
}

function honoSet({ alg, jwk }) {
  const options = { keys: [jwk], allowedAlgorithms: [alg], verification: { iat: false } }
  const verify = (token) => verifyWithJwks(token, options).then(yes, no)
  return { name: 'hono/jwt, verifyWithJwks', verify }
}

/** Whether a call that answers by a callback, at once, tells of no error. */
function told(call) {
  let isGood
  call((error) => {
    isGood = error === null
  })
  return isGood
}
