import { explanation } from '../../../src/edge/gate/index.js'
import {
  createGate,
  type Gate,
  type GateOptions,
  type GateRequest,
  type TokenConfiguration,
  type TokenValidationRule,
  type Zone,
} from '../../../src/edge/index.js'
import type { CryptoBackend } from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { makeKey, makeToken, type SigningKey } from '../token/keys.js'

/** The time of every gate here, in milliseconds. */
export const NOW = 1_700_000_000_000
export const NOW_SECONDS = 1_700_000_000

export const ES: SigningKey = makeKey('ES256', 'es')
export const HS: SigningKey = makeKey('HS256', 'hs')
export const RS: SigningKey = makeKey('RS256', 'rs')
/** A key that no configuration has. */
export const STRANGER: SigningKey = makeKey('ES256', 'es')

export const AUTHORIZATION = 'http.request.headers["authorization"][0]'
export const SESSION = 'http.request.cookies["session"][0]'

export function configuration(
  id: string,
  keys: readonly SigningKey[] = [ES],
  token_sources: readonly string[] = [AUTHORIZATION],
): TokenConfiguration {
  return { id, token_sources, credentials: { keys: keys.map(({ jwk }) => jwk) } }
}

/** A block rule over the whole zone: A must be valid. */
export const RULE: TokenValidationRule = {
  id: 'rule',
  action: 'block',
  expression: 'is_jwt_valid("A")',
}

/** One operation, one configuration, one rule; whatever a test is about replaces a part. */
export function zone(parts: Partial<Zone> = {}): Zone {
  return {
    id: 'zone',
    name: 'example.com',
    token_configurations: [configuration('A')],
    operations: [
      { operation_id: 'op', method: 'GET', host: 'api.example.com', endpoint: '/users/{id}' },
    ],
    rules: [RULE],
    ...parts,
  }
}

/** A zone whose one rule has this expression, over A and B with sources of their own. */
export function judging(expression: string, parts: Partial<Zone> = {}): Zone {
  return zone({
    token_configurations: [
      configuration('A'),
      configuration('B', [HS], ['http.request.headers["x-b"][0]']),
    ],
    rules: [{ ...RULE, expression }],
    ...parts,
  })
}

export function gateOf(
  policy: unknown,
  options: GateOptions<CryptoBackend<boolean>> = {},
): Gate<CryptoBackend<boolean>> {
  return createGate(policy, {
    crypto: nodeCrypto(),
    now: () => NOW,
    explanation,
    ...options,
  })
}

type Line = readonly [name: string, value: string]

export interface Asked extends Partial<Omit<GateRequest, 'header' | 'headers'>> {
  readonly lines?: readonly Line[]
}

/** A request as a server would hand it over; by default one for the fixture's operation. */
export function ask({ lines = [], ...parts }: Asked = {}): GateRequest {
  return {
    method: 'GET',
    host: 'api.example.com',
    target: '/users/42',
    ...parts,
    header: (name) => {
      const values = lines.filter(([sent]) => sent.toLowerCase() === name).map(([, value]) => value)
      return name === 'cookie' && values.length > 0 ? values.join('; ') : values[0]
    },
    headers: () => lines,
  }
}

export const bearer = (token: string): Line => ['Authorization', `Bearer ${token}`]

/** A token of a key with these claims. */
export const tokenOf = (key: SigningKey, payload: unknown = { sub: 'alice' }): string =>
  makeToken(key, { payload })

/** A token whose signature is another key's of the same name. */
export const FORGED: string = tokenOf(STRANGER)
export const VALID: string = tokenOf(ES)
