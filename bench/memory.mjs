import { createGate, createVerdictCache, createVerifier, importKeySet } from 'portcullis'
import { nodeCrypto } from 'portcullis/node'
import { bigZone, SIZES, SMALL_SIZES } from './subjects/big-zone.mjs'
import { EFFORT } from './measure/effort.mjs'
import { heldBytes } from './measure/held-bytes.mjs'
import { printRows } from './measure/print-rows.mjs'
import { fresh, makeKey, makeToken } from './subjects/tokens.mjs'
import { zoneOf } from './subjects/zone-of.mjs'

const MANY = EFFORT.smoke ? 200 : 10_000
const GATES = 100
const RULES = EFFORT.smoke ? 100 : 1000

/** Bytes that what `make` gives holds, over what the same holds of nothing. */
async function weigh(make) {
  const before = await heldBytes()
  const made = make()
  const after = await heldBytes()
  // Kept until here.
  if (made === undefined) throw new Error('nothing was made')
  return after - before
}

/** Heap per cached token, per rule and per operation. */
export async function run() {
  const crypto = nodeCrypto()
  const gateOf = (zone) => createGate(zone, { crypto })
  const jwk = makeKey('ES256').jwk
  const empty = zoneOf(jwk, 1, 1)
  const operations = zoneOf(jwk, MANY, 1)
  const rules = zoneOf(jwk, RULES, RULES)
  const hosts = zoneOf(jwk, RULES, 1)
  const gates = () => Array.from({ length: GATES }, () => gateOf(empty))
  gates()
  const base = (await weigh(gates)) / GATES
  const big = bigZone(EFFORT.smoke ? SMALL_SIZES : SIZES)
  // The document is the caller's, and is not counted.
  const perOperation = ((await weigh(() => gateOf(operations))) - base) / (MANY - 1)
  const perRule = ((await weigh(() => gateOf(rules))) - (await weigh(() => gateOf(hosts)))) / RULES
  const rows = [
    { name: 'a gate with one operation and one rule', bytes: base },
    { name: 'an operation', bytes: perOperation },
    { name: 'a rule: is_jwt_valid("…") for a host of its own', bytes: perRule },
    { name: `a gate of ${describe(big)}`, mb: (await weigh(() => gateOf(big))) / 1e6 },
    ...(await cachedTokens('ES256')),
    ...(await cachedTokens('RS256')),
  ]
  printRows('bytes held', rows)
  return { rows }
}

const describe = ({ rules, operations, token_configurations: { length } }) =>
  `${rules.length} rules, ${operations.length} operations, ${length} configurations`

async function cachedTokens(alg) {
  const key = makeKey(alg)
  // To sign a thousand tokens with RS256 takes most of a second.
  const count = alg === 'RS256' ? MANY / 2 : MANY
  const next = fresh(Array.from({ length: count }, (_, n) => makeToken(key, n)))
  const crypto = nodeCrypto()
  const keySet = importKeySet([key.jwk], crypto)
  const now = Date.now() / 1000
  const fill = (cache) => {
    const verifier = createVerifier({ crypto, cache })
    for (let i = 0; i < count; i++) verifier.verify(next(i), keySet, now)
    return cache
  }
  fill(createVerdictCache({ entries: 4 * count }))
  let cache
  const bytes = await weigh(() => (cache = fill(createVerdictCache({ entries: 4 * count }))))
  const { entries } = cache.stats()
  if (entries < 0.99 * count) throw new Error(`of ${count} tokens ${entries} are cached`)
  const length = next(0).length
  return [{ name: `a cached ${alg} token of ${length} characters`, bytes: bytes / entries }]
}
