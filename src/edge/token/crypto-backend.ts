import type { CheckedKey } from './jwk.js'

/** A key as a backend holds it. Opaque to everyone else. */
export type KeyHandle = object

/**
 * The door to a runtime's cryptography. `Result` says whether it answers at once (`boolean`) or
 * later (`Promise<boolean>`), and the verifier's own answers follow suit.
 */
export interface CryptoBackend<
  Result extends boolean | Promise<boolean> = boolean | Promise<boolean>,
> {
  readonly name: string
  /** Takes a key in, once per key set. */
  importKey(key: CheckedKey): KeyHandle
  /**
   * Whether `signature` is the key's over `signingInput` (ASCII). The caller has compared the byte
   * length of the signature with the key's. A bad signature is `false`; throwing or rejecting means
   * that the runtime could not tell, and makes the verdict `unavailable`.
   */
  verify(handle: KeyHandle, signingInput: string, signature: Uint8Array): Result
  /** A quicker strict base64url decoder than the portable one, with the same outcomes. */
  decode?(segment: string): Uint8Array | undefined
  /** A quicker fatal UTF-8 decoder that keeps a byte order mark, with the same outcomes. */
  utf8?(bytes: Uint8Array): string | undefined
}
