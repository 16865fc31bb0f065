import { bareCrypto } from './bare-crypto.mjs'
import { quickestCrypto } from './quickest-crypto.mjs'

/**
 * Rows of what nobody does without, for `measure`: the check of the signature by the calls that are there
 * for it, and by quicker ones where the runtime has any.
 */
export function floorsOf(key, tokens, isGood = true) {
  return [
    ['node:crypto alone', bareCrypto],
    ['the quickest calls known', quickestCrypto],
  ]
    .map(([name, make]) => ({ name, kind: 'floor', run: make(key, tokens, isGood) }))
    .filter(({ run }) => run !== undefined)
}
