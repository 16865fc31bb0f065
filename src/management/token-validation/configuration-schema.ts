import { z } from '@hono/zod-openapi'
import { text } from '../http/index.js'
import { jwksUri, KeySetSummary } from '../key-sets/index.js'
import { RequestKeys, UpdateKeys } from './request-keys.js'

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

const Sources = z
  .array(text(4096))
  .min(1)
  .max(MAX_SOURCES)
  .openapi({ example: ['http.request.headers["authorization"][0]'] })

const tokenType = z
  .string()
  .transform((value) => value.toUpperCase())
  .pipe(z.literal('JWT'))
  .openapi({
    type: 'string',
    pattern: '^[Jj][Ww][Tt]$',
    description: '`JWT`, in any case.',
    example: 'JWT',
  })

/** The keys of a configuration in answers; beyond the spec those that its issuer publishes. */
export const CredentialsWire = z.object({
  keys: z.array(Key),
  jwks_uri: z.string().optional(),
  key_set: KeySetSummary.optional(),
})

interface CredentialsMembers {
  readonly keys?: readonly unknown[] | undefined
  readonly jwks_uri?: string | null | undefined
}

const credentialsWhere = (
  keys: typeof RequestKeys,
  isEnough: (given: CredentialsMembers) => boolean,
) =>
  z.object({ keys: keys.optional(), jwks_uri: jwksUri.nullish() }).superRefine((given, context) => {
    if (isEnough(given)) return
    const message = 'Invalid input: expected array, received undefined'
    context.addIssue({ code: 'custom', path: ['keys'], message })
  })

/** All of them: keys, or where there are some. */
export const Credentials = credentialsWhere(
  RequestKeys,
  ({ keys, jwks_uri }) => keys !== undefined || typeof jwks_uri === 'string',
)

/** Changes of them. */
export const UpdateCredentials = credentialsWhere(
  UpdateKeys,
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
