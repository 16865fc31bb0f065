import { z } from '@hono/zod-openapi'
import { text } from '../http/index.js'
import { jwksUri, KeySetSummary } from '../key-sets/index.js'

/** Token configurations of a zone. */
export const MAX_CONFIGURATIONS = 32
const MAX_SOURCES = 4

export const title = text(50)
export const description = text(500)

const RsaKey = z
  .object({
    alg: z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']),
    e: z.string(),
    kid: z.string(),
    kty: z.literal('RSA'),
    n: z.string(),
  })
  .openapi('RsaKey')

const EcKey = z
  .object({
    alg: z.enum(['ES256', 'ES384']),
    crv: z.enum(['P-256', 'P-384']),
    kid: z.string(),
    kty: z.literal('EC'),
    x: z.string(),
    y: z.string(),
  })
  .openapi('EcKey')

const OctKey = z
  .object({
    alg: z.enum(['HS256', 'HS384', 'HS512']),
    kid: z.string(),
    kty: z.literal('oct'),
  })
  .openapi('OctKey', { description: 'A symmetric key. Its secret `k` is in no answer.' })

/** A key in the form of answers (spec 2.3). */
export const Key = z.union([RsaKey, EcKey, OctKey])
export type Key = z.input<typeof Key>

/** Keys in the form of requests. What a key must be the key checker knows, and says it better. */
export const KeysInput = z.array(
  z.unknown().openapi('KeyInput', {
    type: 'object',
    description: 'A JSON Web Key. `alg` and `kid` together are unique in a set.',
    required: ['alg', 'kid', 'kty'],
    properties: {
      alg: { type: 'string' },
      kid: { type: 'string' },
      kty: { type: 'string', enum: ['RSA', 'EC', 'oct'] },
      e: { type: 'string' },
      n: { type: 'string' },
      crv: { type: 'string' },
      x: { type: 'string' },
      y: { type: 'string' },
      k: { type: 'string', description: 'The secret of a symmetric key, in base64url.' },
    },
    // The public key of RFC 7517, appendix A.1.
    example: {
      kty: 'EC',
      alg: 'ES256',
      crv: 'P-256',
      kid: '2026-01',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
    },
  }),
)

const Sources = z
  .array(text(4096))
  .min(1)
  .max(MAX_SOURCES)
  .openapi({ example: ['http.request.headers["authorization"][0]'] })

const tokenType = z
  .string()
  .transform((value) => value.toUpperCase())
  .pipe(z.literal('JWT'))
  .openapi({ type: 'string', enum: ['JWT'] })

/** The keys of a configuration in answers; beyond the spec those that its issuer publishes. */
export const CredentialsWire = z.object({
  keys: z.array(Key),
  jwks_uri: z.string().optional(),
  key_set: KeySetSummary.optional(),
})

const CredentialsMembers = z.object({
  keys: KeysInput.optional(),
  jwks_uri: jwksUri.nullish(),
})
type CredentialsMembers = z.output<typeof CredentialsMembers>

const credentialsWhere = (isEnough: (given: CredentialsMembers) => boolean) =>
  CredentialsMembers.superRefine((given, context) => {
    if (isEnough(given)) return
    const message = 'Invalid input: expected array, received undefined'
    context.addIssue({ code: 'custom', path: ['keys'], message })
  })

/** All of them: keys, or where there are some. */
export const Credentials = credentialsWhere(
  ({ keys, jwks_uri }) => keys !== undefined || typeof jwks_uri === 'string',
)

/** Changes of them. */
export const UpdateCredentials = credentialsWhere(
  ({ keys, jwks_uri }) => keys !== undefined || jwks_uri !== undefined,
)

/** Spec 2.2. */
export const TokenConfig = z
  .object({
    id: z.string(),
    created_at: z.string(),
    credentials: CredentialsWire,
    description: z.string(),
    last_updated: z.string(),
    title: z.string(),
    token_sources: z.array(z.string()),
    token_type: z.literal('JWT'),
  })
  .openapi('TokenConfig')
export type TokenConfig = z.input<typeof TokenConfig>

export const CreateConfig = z.object({
  credentials: Credentials,
  description,
  title,
  token_sources: Sources,
  token_type: tokenType,
})

export const UpdateConfig = z.object({
  description: description.optional(),
  title: title.optional(),
  token_sources: Sources.optional(),
})
