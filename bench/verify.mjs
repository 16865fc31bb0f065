import { bareCrypto } from './subjects/bare-crypto.mjs'
import { MORE_ROUNDS } from './measure/effort.mjs'
import { measure } from './measure/measure.mjs'
import { ALGS, fresh, makeKey, makeTokens, spoil } from './subjects/tokens.mjs'
import { verifiersOf } from './subjects/verifiers.mjs'

const TOKENS = 64

/**
 * Verification of tokens never seen before, good ones and ones with a bad signature, beside the bare
 * cryptography (the ratio is against it) and peers.
 */
export async function run() {
  const rows = []
  for (const alg of ALGS) {
    const key = makeKey(alg)
    const verifiers = await verifiersOf(key)
    const good = makeTokens(key, TOKENS)
    rows.push(...(await compared(`${alg}, valid`, key, good, verifiers, true)))
    const bad = good.map(spoil)
    rows.push(...(await compared(`${alg}, bad signature`, key, bad, verifiers, false)))
  }
  return { rows }
}

function compared(group, key, tokens, verifiers, isGood) {
  const next = fresh(tokens)
  const expected = (name) => (result) => {
    if (result !== isGood) throw new Error(`${name} says ${result} of ${group}`)
  }
  const floor = { name: 'node:crypto alone', kind: 'floor', run: bareCrypto(key, tokens, isGood) }
  const others = verifiers.map(({ verify, ...rest }) => ({ ...rest, run: (i) => verify(next(i)) }))
  const candidates = [floor, ...others].map((each) => ({ ...each, verify: expected(each.name) }))
  return measure(group, candidates, key.alg === 'ES384' ? MORE_ROUNDS : undefined)
}
