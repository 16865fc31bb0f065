import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createVerdictCache } from '../../../src/edge/token/index.js'
import {
  ask,
  AUTHORIZATION,
  configuration,
  gateOf,
  HS,
  SESSION,
  tokenOf,
  zone,
} from './zone-fixture.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const TOKENS = 1000
const AROUND = 20_000
const room = 'x'.repeat(AROUND)

/** A text of its own, as a server makes one of each header line. */
const ownText = (text: string) => Buffer.from(text, 'latin1').toString('latin1')

test.each<[string, string, string, (token: string) => string]>([
  ['a cookie among large ones', SESSION, 'Cookie', (token) => `a=${room}; session=${token}`],
  [
    'a header with many blanks',
    AUTHORIZATION,
    'Authorization',
    (token) => `Bearer${room.replaceAll('x', ' ')}${token}`,
  ],
])('a remembered token in %s keeps no more of it than itself', (_, source, name, lineOf) => {
  const cache = createVerdictCache()
  const policy = zone({ token_configurations: [configuration('A', [HS], [source])] })
  const gate = gateOf(policy, { cache })
  collect()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < TOKENS; i++) {
    const line = ownText(lineOf(tokenOf(HS, { sub: `user ${i}` })))
    expect(gate.decide(ask({ lines: [[name, line]] })).configurations[0]?.valid).toBe(true)
  }
  collect()
  const grown = process.memoryUsage().heapUsed - before
  expect(cache.stats().entries).toBe(TOKENS)
  expect(grown).toBeLessThan((TOKENS * AROUND) / 4)
})
