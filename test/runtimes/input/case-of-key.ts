import { encode } from '../../edge/token/keys.js'
import type { Input, TokenCase } from '../suite/input.js'

/** The time of every token here, in seconds. */
export const NOW = 1_700_000_000

/** Key sets and tokens made for them. */
export type KeyCases = Pick<Input, 'keySets' | 'tokens'>

/** What is signed or not, how, and the verdict on it. */
export type Signing = readonly [
  what: string,
  sign: (signingInput: string) => Uint8Array,
  expected: 'valid' | 'bad_signature',
]

/** The case of one signature by a key whose `kid` is its `alg`. Its id begins with the key set's name. */
export function caseOfKey(keys: string, alg: string, [what, sign, expected]: Signing): TokenCase {
  const input = `${encode({ alg, kid: alg })}.${encode({ sub: 'alice' })}`
  const token = `${input}.${encode(sign(input))}`
  return { id: `${keys}/${alg}/${what}`, keys, token, now: NOW, expected }
}
