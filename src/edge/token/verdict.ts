import { freezeThroughout, type JsonObject } from './json-object.js'

/** The one outcome of looking at a token. Only `valid` lets claims be read. */
export type VerdictStatus =
  | 'valid'
  | 'absent'
  | 'too_large'
  | 'malformed'
  | 'critical_header'
  | 'alg_not_allowed'
  | 'unknown_key'
  | 'bad_claims'
  | 'expired'
  | 'not_yet_valid'
  | 'bad_signature'
  | 'ambiguous'
  | 'unavailable'

/** The claims of a token: frozen throughout, so that they can be shared between requests. */
export type Claims = JsonObject

/** Which key a token named; safe to log. */
export interface KeyName {
  readonly alg: string
  readonly kid: string
}

/** What verification says of a token: data, never an exception. Frozen where it is shared. */
export interface Verdict {
  readonly status: VerdictStatus
  /** The configured key that the token named, or `null` when the checks ended before one was found. */
  readonly key: KeyName | null
  /** The claims, for a valid token only. */
  readonly claims: Claims | undefined
  /** The payload as JSON text, for a valid token only. */
  readonly claimsText?: string
  /** For an unavailable token only: the verdict if its signature is good, which nobody could tell. */
  readonly presumed?: Verdict
}

/** A refusal; it holds no text of the token. */
export function refuse(status: VerdictStatus, key: KeyName | null = null): Verdict {
  return { status, key, claims: undefined }
}

/** A good token. Its claims are decoded and parsed when asked for: most rules never ask. */
export class ValidVerdict implements Verdict {
  readonly status = 'valid'
  readonly key: KeyName
  readonly #token: string
  readonly #textOf: (token: string) => string
  readonly #parsed: Claims | undefined
  #claims: Claims | undefined

  /** @param parsed the claims, where they were parsed already; else skimming told that they can be */
  constructor(
    key: KeyName,
    token: string,
    textOf: (token: string) => string,
    parsed: Claims | undefined,
  ) {
    this.key = key
    this.#token = token
    this.#textOf = textOf
    this.#parsed = parsed
  }

  get claimsText(): string {
    return this.#textOf(this.#token)
  }

  get claims(): Claims | undefined {
    return (this.#claims ??= freezeThroughout(
      this.#parsed ?? (JSON.parse(this.claimsText) as Claims),
    ))
  }
}
