import { makeToken, spoil } from './tokens.mjs'

/** What needs no look at a signature: how to make the n-th of a kind from a good token. */
export const REFUSED = new Map([
  ['malformed: two segments', (token) => token.slice(0, token.lastIndexOf('.'))],
  [
    'malformed: a character of another alphabet',
    (token) => `${token.slice(0, -9)}+${token.slice(-8)}`,
  ],
  ['malformed: 17 kB', (token) => token.padEnd(17_000, 'A')],
  ['unknown kid', (_token, key, n) => headed(key, n, { kid: 'key-of-another' })],
  ['unknown kid, each another', (_token, key, n) => headed(key, n, { kid: `key-${n}` })],
  ['expired', (_token, key, n) => makeToken(key, n, { expires: -3600 })],
])

/** A peer with a single key asks for no kid, and has to look at the signature. */
const headed = (key, n, header) => spoil(makeToken(key, n, { header }))
