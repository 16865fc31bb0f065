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
export const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map(
  ([256, 384, 512] as const).flatMap((hash): [string, Algorithm][] => [
    [`RS${hash}`, { kty: 'RSA', hash }],
    [`PS${hash}`, { kty: 'RSA', hash, pss: true }],
    [`HS${hash}`, { kty: 'oct', hash }],
  ]),
)
  .set('ES256', { kty: 'EC', hash: 256, crv: 'P-256' })
  .set('ES384', { kty: 'EC', hash: 384, crv: 'P-384' })
