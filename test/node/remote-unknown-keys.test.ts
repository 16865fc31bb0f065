import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { GateRequest } from '../../src/edge/index.js'
import { createServerGate, followPolicy, unknownKeyWatch } from '../../src/node/index.js'
import { createOutbound } from '../../src/node/outbound/index.js'
import { makeKey, makeToken, type SigningKey } from '../edge/token/keys.js'
import { startIssuer } from '../management/key-sets/issuer.js'
import { CONFIG } from '../management/key-sets/key-set-stage.js'
import { HOST, RULES, startManagement } from './management-server.js'

const one = makeKey('ES256', 'one')
const two = makeKey('ES256', 'two')

const asking = (key: SigningKey): GateRequest => {
  const pairs = [['authorization', makeToken(key)]] as const
  return {
    method: 'GET',
    host: HOST,
    target: '/orders',
    header: (name: string) => pairs.find(([each]) => each === name)?.[1],
    headers: () => pairs,
  }
}

test('a gate elsewhere tells of a key that it misses, and has it soon', async () => {
  const outbound = createOutbound({ allowPrivate: true })
  const management = await startManagement({ outbound, allowHttpKeySets: true })
  const issuer = await startIssuer()
  issuer.publish([one.jwk])
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-unknown-'))
  const { json } = await management.stage.call('POST', CONFIG, {
    title: 'remote',
    description: '',
    token_type: 'JWT',
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { jwks_uri: issuer.uri },
  })
  const rule = { expression: `is_jwt_valid("${String(json.result['id'])}")`, enabled: true }
  await management.stage.call('PATCH', `${RULES}/${management.rule}`, rule)

  let gate: ReturnType<typeof createServerGate> | undefined
  const source = followPolicy({
    url: management.policyUrl,
    token: management.gateToken,
    cacheDir: folder,
    instance: 'gate',
    onPolicy(policy) {
      if (gate === undefined) gate = createServerGate(policy)
      else gate.replace(policy)
    },
  })
  onTestFinished(async () => {
    await source.stop()
    await management.close()
    issuer.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await source.ready
  const watch = unknownKeyWatch(gate!, (_, key) => source.unknownKeys(key))
  const ask = (key: SigningKey) => {
    const decision = gate!.decide(asking(key))
    watch(decision)
    return decision.reason
  }
  expect([ask(one), ask(two)]).toEqual(['satisfied', 'no_valid_token'])
  issuer.publish([two.jwk])
  await expect.poll(() => ask(two), { interval: 10, timeout: 15_000 }).toBe('satisfied')
  expect(ask(one)).toBe('no_valid_token')
}, 20_000)
