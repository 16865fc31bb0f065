import { makeToken } from './tokens.mjs'

/**
 * What needs no look at a signature, nor can be told by one: how to `make` the n-th of a kind from a good
 * token, and whether it is refused `byKid`.
 */
export const REFUSED = new Map([
  ['malformed: two segments', { make: (token) => token.slice(0, token.lastIndexOf('.')) }],
  [
    'malformed: a character of another alphabet',
    { make: (token) => `${token.slice(0, -9)}+${token.slice(-8)}` },
  ],
  ['malformed: 17 kB', { make: (token) => token.padEnd(17_000, 'A') }],
  ['unknown kid', { make: (_, key, n) => signedAs(key, n, 'key-of-another'), byKid: true }],
  ['unknown kid, each another', { make: (_, key, n) => signedAs(key, n, `key-${n}`), byKid: true }],
  ['expired', { make: (_, key, n) => makeToken(key, n, { expires: -3600 }) }],
])

/** Its signature is good: only who asks for the kid refuses it. */
const signedAs = (key, n, kid) => makeToken(key, n, { header: { kid } })
