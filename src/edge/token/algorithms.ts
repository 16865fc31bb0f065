/** The three kinds of key, by their JWK name (RFC 7518 6.1). */
export type KeyType = 'RSA' | 'EC' | 'oct'

/** What one `alg` name of RFC 7518 3.1 stands for. */
export interface Algorithm {
  readonly kty: KeyType
  /** Bits of the SHA-2 hash. */
  readonly hash: 256 | 384 | 512
  /** RSASSA-PSS rather than PKCS#1 v1.5. */
  readonly pss?: boolean
  readonly crv?: 'P-256' | 'P-384'
}

/** The eleven algorithms a token may be signed with; a `Map`, as it is asked with a stranger's text. */
export const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['RS256', { kty: 'RSA', hash: 256 }],
  ['RS384', { kty: 'RSA', hash: 384 }],
  ['RS512', { kty: 'RSA', hash: 512 }],
  ['PS256', { kty: 'RSA', hash: 256, pss: true }],
  ['PS384', { kty: 'RSA', hash: 384, pss: true }],
  ['PS512', { kty: 'RSA', hash: 512, pss: true }],
  ['ES256', { kty: 'EC', hash: 256, crv: 'P-256' }],
  ['ES384', { kty: 'EC', hash: 384, crv: 'P-384' }],
  ['HS256', { kty: 'oct', hash: 256 }],
  ['HS384', { kty: 'oct', hash: 384 }],
  ['HS512', { kty: 'oct', hash: 512 }],
])
