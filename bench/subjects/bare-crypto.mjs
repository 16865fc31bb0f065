import { constants, createHmac, sign, timingSafeEqual, verify } from 'node:crypto'
import { makeKeyPair } from './make-key-pair.mjs'

/** Node 24 spends 10 µs on an object of options, and Bun reads no key that is bound to RSASSA-PSS. */
const OBJECTS_ARE_SLOW =
  process.versions.bun === undefined && process.versions.node.startsWith('24.')

/**
 * The check of signatures alone, everything decoded beforehand: the floor of every verification.
 * Node's own cryptography, synchronous, in the call shape that the runtime likes best: key objects
 * without options, signatures of ECDSA as DER.
 *
 * @param tokens whose signed text is used; the signatures are made here
 * @param isGood whether the signatures fit
 * @returns what checks the next one
 */
export function bareCrypto(key, tokens, isGood = true) {
  const { made, check } = shapes[key.alg.slice(0, 2)](key)
  const texts = tokens.map((token) => Buffer.from(token.slice(0, token.lastIndexOf('.'))))
  const parts = texts.map((text, at) => [text, made(isGood ? text : texts.at(at - 1))])
  return (i) => {
    const [text, signature] = parts[i % parts.length]
    return check(text, signature)
  }
}

const shapes = {
  HS({ alg, publicKey }) {
    const digest = digestOf(alg)
    const made = (text) => createHmac(digest, publicKey).update(text).digest()
    return { made, check: (text, signature) => timingSafeEqual(made(text), signature) }
  },
  RS: plain,
  ES: plain,
  PS(key) {
    const saltLength = Number(key.alg.slice(2)) / 8
    if (OBJECTS_ARE_SLOW)
      return plain({ alg: key.alg, ...boundToPss(digestOf(key.alg), saltLength) })
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const options = { key: key.publicKey, padding, saltLength }
    const digest = digestOf(key.alg)
    return {
      made: (text) => sign(digest, text, { ...options, key: key.privateKey }),
      check: (text, signature) => verify(digest, text, options, signature),
    }
  },
}

function plain({ alg, publicKey, privateKey }) {
  const digest = digestOf(alg)
  return {
    made: (text) => sign(digest, text, privateKey),
    check: (text, signature) => verify(digest, text, publicKey, signature),
  }
}

function boundToPss(hashAlgorithm, saltLength) {
  const options = {
    modulusLength: 2048,
    hashAlgorithm,
    mgf1HashAlgorithm: hashAlgorithm,
    saltLength,
  }
  return makeKeyPair('rsa-pss', options)
}

const digestOf = (alg) => `sha${alg.slice(2)}`
