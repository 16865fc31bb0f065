import { createVerifier as fastJwtVerifier } from 'fast-jwt'
import { createGate } from 'portcullis'
import { guardFetch } from 'portcullis/embed'
import { nodeCrypto } from 'portcullis/node'
import { measure } from './measure.mjs'
import { ALGS, fresh, makeKey, makeToken, spoil } from './tokens.mjs'

const LIVE_TOKENS = 1000

/** A zone with this many operations and rules; one configuration that every rule asks about. */
function zoneOf(key, operations, rules) {
  const hosts = Array.from({ length: rules }, (_, at) => `h${at}.example.com`)
  return {
    id: 'bench',
    name: 'example.com',
    token_configurations: [
      {
        id: 'main',
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [key.jwk] },
      },
    ],
    operations: Array.from({ length: operations }, (_, at) => ({
      operation_id: `op-${at}`,
      method: 'GET',
      host: hosts[at % rules],
      endpoint: `/v1/things${at}/{id}`,
    })),
    rules: hosts.map((host, at) => ({
      id: `rule-${at}`,
      action: 'block',
      expression: 'is_jwt_valid("main")',
      selector: { include: [{ host }], exclude: [{ operation_ids: ['op-none'] }] },
    })),
  }
}

/** Requests to operations in turn, each with a header line nobody has seen before. */
function requests(zone, tokens) {
  const token = fresh(tokens)
  const targets = zone.operations.map(({ host, endpoint }) => ({
    host,
    target: endpoint.replace('{id}', '42'),
  }))
  return (i) => {
    const { host, target } = targets[i % targets.length]
    const line = token(i)
    return {
      method: 'GET',
      host,
      target,
      header: (name) => (name === 'authorization' ? line : undefined),
      headers: () => [['Authorization', line]],
    }
  }
}

const expectAction = (action) => (decision) => {
  if (decision.action !== action) throw new Error(`${action} became ${decision.action}`)
}

function warm(name, key, tokens, [operations, rules], options = {}) {
  const zone = zoneOf(key, operations, rules)
  const gate = createGate(zone, { crypto: nodeCrypto(), ...options })
  const request = requests(zone, tokens)
  for (let i = 0; i < tokens.length; i++) gate.decide(request(i))
  return { name, run: (i) => gate.decide(request(i)), verify: expectAction('pass') }
}

async function warmDecisions() {
  const key = makeKey('ES256')
  const tokens = Array.from({ length: LIVE_TOKENS }, (_, n) => makeToken(key, n))
  const token = fresh(tokens)
  const cached = fastJwtVerifier({
    key: key.publicKey.export({ type: 'spki', format: 'pem' }),
    cache: LIVE_TOKENS,
  })
  for (let i = 0; i < tokens.length; i++) cached(token(i))
  const small = zoneOf(key, 10, 2)
  const idle = requests(small, tokens)
  return measure(`decide, warm: ${LIVE_TOKENS} live ES256 tokens, fresh strings`, [
    warm('10 operations, 2 rules', key, tokens, [10, 2]),
    warm('100 operations, 10 rules', key, tokens, [100, 10]),
    warm('1,000 operations, 200 rules', key, tokens, [1000, 200]),
    { name: 'fast-jwt, cached verify alone', run: (i) => cached(token(i)) },
    { name: 'harness: making the request', run: (i) => idle(i) },
  ])
}

/** Every token is new to a gate that remembers nothing. */
async function coldDecisions(alg) {
  const key = makeKey(alg)
  const tokens = Array.from({ length: 50 }, (_, n) => makeToken(key, n))
  const zone = zoneOf(key, 100, 10)
  const gate = createGate(zone, { crypto: nodeCrypto(), cache: false })
  const web = createGate(zone, { cache: false })
  const good = requests(zone, tokens)
  const bad = requests(zone, tokens.map(spoil))
  return measure(`decide, cold: ${alg}`, [
    { name: 'node:crypto, valid', run: (i) => gate.decide(good(i)), verify: expectAction('pass') },
    {
      name: 'node:crypto, bad signature',
      run: (i) => gate.decide(bad(i)),
      verify: expectAction('block'),
    },
    { name: 'WebCrypto, valid', run: (i) => web.decide(good(i)), verify: expectAction('pass') },
  ])
}

/** The whole of an embedding: a fetch Request in, a Response out. */
async function embedded() {
  const key = makeKey('ES256')
  const zone = zoneOf(key, 100, 10)
  const gate = createGate(zone, { crypto: nodeCrypto() })
  const answer = new Response('ok')
  const handler = guardFetch(gate, () => answer)
  const headers = { authorization: `Bearer ${makeToken(key)}` }
  const url = 'https://h0.example.com/v1/things0/42'
  const check = (status) => (response) => {
    if (response.status !== status) throw new Error(`expected ${status}, found ${response.status}`)
  }
  return measure('guardFetch', [
    { name: 'passes', run: () => handler(new Request(url, { headers })), verify: check(200) },
    {
      name: 'refused as JSON',
      run: () => handler(new Request(url, { headers: { accept: 'application/json' } })),
      verify: check(401),
    },
    { name: 'harness: making the Request', run: () => new Request(url, { headers }) },
  ])
}

/** Whole decisions: warm, cold, as the policy grows, and through an embedding. */
export async function run() {
  const named = (group, rows) => rows.map((row) => ({ ...row, group }))
  const rows = named('warm', await warmDecisions())
  for (const alg of ALGS) rows.push(...named(`cold ${alg}`, await coldDecisions(alg)))
  rows.push(...named('embedded', await embedded()))
  return { title: 'decide', rows }
}
