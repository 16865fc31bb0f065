import { makeToken } from './tokens.mjs'

/** Where a number goes in a text, and how many digits it has. */
const NUMBER = '#########'
const ZERO = 0x30
/** 2^32 divided by the golden ratio: its multiples lie far apart. */
const GOLDEN_RATIO = 0x9e3779b1
/** Of a signature, well behind the first bytes, which have to stay below a modulus. */
const MIDDLE = 30

/**
 * Header lines with bad tokens of which no two are alike. They come in turn: a signature that is bad
 * (twice as often as anything else, since only these have a claim to be remembered), a header that
 * nobody has seen, a key that nobody has, an `exp` long past, a segment too few.
 *
 * Numbers are written as bytes, never made strings: V8 remembers thousands of those, which would count
 * as garbage of the gate.
 *
 * @returns what makes the n-th, in a string of its own as a server's
 */
export function badLines(key) {
  const [header, payload, sent] = makeToken(key).split('.')
  const [, old] = makeToken(key, 0, { expires: -3600 }).split('.')
  const usual = { alg: key.alg, typ: 'JWT', kid: key.kid }
  const unseen = numbered({ ...usual, n: NUMBER })
  const unknown = numbered({ ...usual, kid: `key-${NUMBER}` })
  const spoilt = spoiler(Buffer.from(sent, 'base64url'))
  const kinds = [
    (n) => `${header}.${payload}.${spoilt(n)}`,
    (n) => `${unseen(n)}.${payload}.${spoilt(n)}`,
    (n) => `${header}.${payload}.${spoilt(n)}`,
    (n) => `${unknown(n)}.${payload}.${spoilt(n)}`,
    (n) => `${header}.${old}.${spoilt(n)}`,
    (n) => `${header}.${spoilt(n)}`,
  ]
  const line = Buffer.alloc(2 * sent.length + payload.length + 1000)
  return (n) => line.latin1Slice(0, line.latin1Write(`Bearer ${kinds[n % kinds.length](n)}`))
}

/** Makes segments of an object with a number in it. */
function numbered(object) {
  const json = Buffer.from(JSON.stringify(object))
  const start = json.indexOf(NUMBER)
  return (n) => {
    let rest = n
    for (let at = start + NUMBER.length - 1; at >= start; at--) {
      json[at] = ZERO + (rest % 10)
      rest = Math.floor(rest / 10)
    }
    return json.base64urlSlice()
  }
}

/** Another signature for each number: the number itself, and at the end, where a cache looks, bits of it mixed. */
function spoiler(signature) {
  return (n) => {
    signature.writeUInt32BE(n, MIDDLE)
    signature.writeUInt32BE(Math.imul(n, GOLDEN_RATIO) >>> 0, signature.length - 4)
    return signature.base64urlSlice()
  }
}
