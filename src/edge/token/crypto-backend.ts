import type { CheckedKey } from './jwk.js'
import type { Json, JsonObject } from './json-object.js'
import type { OpenToken } from './open-token.js'

/** A key as a backend holds it. Opaque to everyone else. */
export type KeyHandle = object

/** The claims that say when a token may be used (RFC 7519 4.1.4, 4.1.5), as they stand. */
export interface Times {
  readonly exp?: Json | undefined
  readonly nbf?: Json | undefined
}

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
   * Whether `signature` is the key's over `signingInput`, a text in ASCII. The caller has compared the
   * byte length of the signature with the key's. A bad signature is `false`; throwing or rejecting
   * means that the runtime could not tell, and makes the verdict `unavailable`. The bytes are to be
   * read or copied before it returns: those of the next token may take their place.
   */
  verify(handle: KeyHandle, signingInput: string, signature: Uint8Array<ArrayBuffer>): Result
  /**
   * A quicker reader of tokens than the portable one, with the same outcomes. The bytes it gives are
   * read before another token is opened, so those of the next may take their place.
   */
  open?(token: string): OpenToken | undefined
  /** A quicker fatal UTF-8 decoder that keeps a byte order mark, with the same outcomes. */
  utf8?(bytes: Uint8Array): string | undefined
  /**
   * `alg` and `kid` of a header segment, read without parsing the whole of it. It may give up on any
   * (`undefined`), but must where one is missing, where there is `crit`, and where parsing would refuse.
   */
  skimHeader?(header: string): JsonObject | undefined
  /**
   * When a token may be used, read from a payload without parsing the whole of it. It may give up on
   * any payload (`undefined`), but must on one that is no UTF-8 or that parsing would refuse.
   */
  skimTimes?(payload: Uint8Array): Times | undefined
}
