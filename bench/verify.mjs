import { MORE_ROUNDS } from './measure/effort.mjs'
import { measure } from './measure/measure.mjs'
import { floorsOf } from './subjects/floors-of.mjs'
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
    const good = makeTokens(key, TOKENS)
    rows.push(...(await compared(`${alg}, valid`, key, good, true)))
    rows.push(...(await compared(`${alg}, bad signature`, key, good.map(spoil), false)))
  }
  return { rows }
}

async function compared(group, key, tokens, isGood) {
  const verifiers = await verifiersOf(key, isGood)
  const next = fresh(tokens)
  const expected = (name) => (result) => {
    if (result !== isGood) throw new Error(`${name} says ${result} of ${group}`)
  }
  const others = verifiers.map(({ verify, ...rest }) => ({ ...rest, run: (i) => verify(next(i)) }))
  const candidates = [...floorsOf(key, tokens, isGood), ...others].map((each) => ({
    ...each,
    verify: expected(each.name),
  }))
  return measure(group, candidates, key.alg === 'ES384' ? MORE_ROUNDS : undefined)
}
