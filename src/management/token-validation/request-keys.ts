import { z } from '@hono/zod-openapi'
import { MAX_KEYS } from '../../edge/token/index.js'

const TEXT = { type: 'string' } as const

const MEMBERS = {
  alg: TEXT,
  kid: TEXT,
  kty: { ...TEXT, enum: ['RSA', 'EC', 'oct'] },
  e: TEXT,
  n: TEXT,
  crv: TEXT,
  x: TEXT,
  y: TEXT,
  k: { ...TEXT, description: 'The secret of a symmetric key, in base64url.' },
}

/** The public key of RFC 7517, appendix A.1. */
const EXAMPLE = {
  kty: 'EC',
  alg: 'ES256',
  crv: 'P-256',
  kid: '2026-01',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}

const keysOf = (name: string, description: string, required: readonly string[]) =>
  z
    .array(
      z.unknown().openapi(name, {
        type: 'object',
        description,
        required: [...required],
        properties: MEMBERS,
        example: EXAMPLE,
      }),
    )
    .openapi({ maxItems: MAX_KEYS })

/** Keys in the form of requests. What a key must be the key checker knows, and says it better. */
export const RequestKeys = keysOf(
  'KeyInput',
  'A JSON Web Key. `alg` and `kid` together are unique in a set.',
  ['alg', 'kid', 'kty'],
)

/** Keys that may leave out what is stored of them. */
export const UpdateKeys = keysOf(
  'KeyUpdate',
  'A JSON Web Key. Members left out are those of the stored key with the same `alg` and `kid`.',
  ['alg', 'kid'],
)
