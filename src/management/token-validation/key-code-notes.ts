import { codeChapter, type CodeNote } from '../http/index.js'

/** Numbers of messages that the key checker of the edge gives. */
const CODES = {
  alg_missing: 110003,
  unknown_kind: 110101,
  low_variety: 110102,
  roca: 110103,
} as const

const NOTES: Readonly<Record<keyof typeof CODES, CodeNote>> = {
  alg_missing: {
    title: 'An RSA key without `alg`',
    statuses: [400],
    meaning:
      'A key does not say which algorithm it is for, so its pair of `alg` and `kid` is not known.',
    expected: 'An `alg` in every key: RS256, RS384, RS512, PS256, PS384 or PS512 for RSA.',
    remedy: 'Add the algorithm that the tokens are signed with; mostly it is `RS256`.',
  },
  unknown_kind: {
    title: 'A key of a kind that is not supported',
    statuses: [400],
    meaning: 'The `kty` or `alg` of a key is none of those that tokens are verified with here.',
    expected: '`kty` RSA, EC or oct, with an `alg` of that kind; the message lists them.',
    remedy: 'Leave the key out of the set, or replace it by one of these kinds.',
  },
  low_variety: {
    title: 'A secret of low variety',
    statuses: [200],
    meaning:
      'The secret of a symmetric key has few different bytes: it may be a word or a pattern.',
    expected: 'A secret of 32 bytes or more, drawn at random.',
    remedy: 'Draw a new secret at random and replace the key at both ends.',
  },
  roca: {
    title: 'A key that can be broken (ROCA)',
    statuses: [200],
    meaning:
      'The modulus of an RSA key has the mark of a faulty generator, CVE-2017-15361: its private key can be computed from the public one.',
    expected: 'A key pair from another generator.',
    remedy: 'Make a new pair, sign with it, and replace this key soon.',
  },
}

/** Codes of the key checker. */
export const KEY_CODES = codeChapter('Keys', CODES, NOTES)
