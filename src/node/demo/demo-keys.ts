import { randomBytes, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import { makeKeyPair } from './make-key-pair.js'

/** A key of the demo: what signs, and what the policy is told. */
export interface DemoKey {
  readonly alg: 'RS256' | 'ES256' | 'HS256'
  readonly kid: string
  readonly sign: KeyObject | Uint8Array
  /** The JWK of the policy, as an issuer would publish it. */
  readonly jwk: Readonly<Record<string, unknown>>
}

/** The three issuers of the demo, with keys made anew at every start. */
export interface DemoKeys {
  readonly customers: DemoKey
  readonly partners: DemoKey
  readonly machines: DemoKey
}

export function makeDemoKeys(): DemoKeys {
  const secret = randomBytes(32)
  return {
    customers: pair('RS256', 'customers-2026', makeKeyPair()),
    partners: pair('ES256', 'partners-2026', makeKeyPair('P-256')),
    machines: {
      alg: 'HS256',
      kid: 'machines-2026',
      sign: secret,
      jwk: { kty: 'oct', alg: 'HS256', kid: 'machines-2026', k: secret.toString('base64url') },
    },
  }
}

function pair(
  alg: DemoKey['alg'],
  kid: string,
  { privateKey, publicKey }: KeyPairKeyObjectResult,
): DemoKey {
  return { alg, kid, sign: privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), alg, kid } }
}
