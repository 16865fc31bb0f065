import { createHash, createHmac } from 'node:crypto'
import { caseOfKey, type KeyCases, type Signing } from './case-of-key.js'

/** Bytes of a secret, around the blocks of the hashes. */
const SIZES = [64, 65, 127, 128, 129, 1000, 8192]
const ALGS = ['HS256', 'HS384', 'HS512']

/** Secrets of unusual sizes. */
export function secretCases(): KeyCases {
  const sets = SIZES.map((size) => ({ name: `secret-${size}`, secret: secretOf(size) }))
  return {
    keySets: Object.fromEntries(
      sets.map(({ name, secret }) => [
        name,
        ALGS.map((alg) => ({ kty: 'oct', alg, kid: alg, k: secret.toString('base64url') })),
      ]),
    ),
    tokens: sets.flatMap(({ name, secret }) =>
      ALGS.flatMap((alg) => signings(secret, alg).map((signing) => caseOfKey(name, alg, signing))),
    ),
  }
}

function signings(secret: Buffer, alg: string): readonly Signing[] {
  const sign = (input: string): Buffer =>
    createHmac(`sha${alg.slice(2)}`, secret)
      .update(input)
      .digest()
  return [
    ['good', sign, 'valid'],
    ['another message', (input) => sign(`${input} `), 'bad_signature'],
    ['a byte short', (input) => sign(input).subarray(1), 'bad_signature'],
    ['a byte long', (input) => Buffer.concat([sign(input), Buffer.alloc(1)]), 'bad_signature'],
    ['empty', () => Buffer.alloc(0), 'bad_signature'],
  ]
}

function secretOf(size: number): Buffer {
  const parts = Array.from({ length: Math.ceil(size / 64) }, (_, index) =>
    createHash('sha512').update(`${size} ${index}`).digest(),
  )
  return Buffer.concat(parts).subarray(0, size)
}
