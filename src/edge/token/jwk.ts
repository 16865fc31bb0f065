/** Keys in one configuration. */
export const MAX_KEYS = 16
/** Characters of a `kid`. */
export const MAX_KID_LENGTH = 256

/** A key that passed every check, in the form of spec 2.3: unknown members are gone. */
export type CheckedKey = RsaKey | EcKey | OctKey

/** RSA: modulus and exponent in base64url, without leading zeros. */
export interface RsaKey {
  readonly alg: string
  readonly e: string
  readonly kid: string
  readonly kty: 'RSA'
  readonly n: string
}

/** A point of P-256 or P-384. */
export interface EcKey {
  readonly alg: string
  readonly crv: string
  readonly kid: string
  readonly kty: 'EC'
  readonly x: string
  readonly y: string
}

/** A shared secret. It must not leave: answers show `KeySet.publicKeys()`. */
export interface OctKey {
  readonly alg: string
  readonly k: string
  readonly kid: string
  readonly kty: 'oct'
}
