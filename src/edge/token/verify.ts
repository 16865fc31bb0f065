import type { CryptoBackend } from './crypto-backend.js'
import { parseObject, type JsonObject } from './json-object.js'
import type { KeyEntry, KeySet } from './key-set.js'
import { parseJws, type Jws } from './parse-jws.js'
import { decodeUtf8, detach } from './utf8.js'
import type { VerdictCache } from './verdict-cache.js'
import { refuse, type Verdict } from './verdict.js'

/** At once where the runtime's cryptography is, else at once or later. */
export type Answer<Result extends boolean | Promise<boolean>> =
  Result extends Promise<boolean> ? Verdict | Promise<Verdict> : Verdict

export interface Verifier<Result extends boolean | Promise<boolean> = boolean | Promise<boolean>> {
  /**
   * Judges a token by the keys of one configuration. Never throws and never rejects.
   *
   * @param token the token's text, its scheme removed; `undefined` or empty is `absent`
   * @param nowSeconds the time in seconds since 1970, fractions allowed
   */
  verify(token: string | undefined, keySet: KeySet, nowSeconds: number): Answer<Result>
}

export interface VerifierOptions<
  Result extends boolean | Promise<boolean> = boolean | Promise<boolean>,
> {
  readonly crypto: CryptoBackend<Result>
  /** Seconds that clocks may differ, both ways: 0 to 3,600. Default 60. */
  readonly tolerance?: number
  /** A longer token is `too_large`. Default 16,384. */
  readonly maxTokenBytes?: number
  readonly cache?: VerdictCache | undefined
}

const MAX_TOLERANCE = 3600

const ABSENT = refuse('absent')
const TOO_LARGE = refuse('too_large')

/**
 * Makes a verifier of JWTs in compact form (RFC 7519, 7515). It takes no key from a token, no
 * algorithm but the configured key's, and no time but the caller's.
 *
 * @throws {RangeError} when tolerance or size cannot be meant.
 */
export function createVerifier<Result extends boolean | Promise<boolean>>(
  options: VerifierOptions<Result>,
): Verifier<Result> {
  const { crypto, tolerance = 60, maxTokenBytes = 16_384, cache } = options
  inRange('tolerance', tolerance, 0, MAX_TOLERANCE)
  inRange('maxTokenBytes', maxTokenBytes, 1, 2 ** 24)
  const utf8 = crypto.utf8 ?? decodeUtf8

  function verify(
    token: string | undefined,
    keySet: KeySet,
    now: number,
  ): Verdict | Promise<Verdict> {
    if (token === undefined || token === '') return ABSENT
    if (token.length > maxTokenBytes) return TOO_LARGE
    const known = cache?.find(token, keySet.scope)
    if (known !== undefined) {
      return untimely(known.exp, known.nbf, known.refusals, now) ?? known.verdict
    }

    const jws = parseJws(token, keySet, crypto)
    if ('status' in jws) return jws
    const { key, payload } = jws
    const claimsText = utf8(payload)
    const claims = claimsText === undefined ? undefined : parseObject(claimsText)
    if (claims === undefined) return key.refusals.bad_claims
    const exp = timeOf(claims, 'exp', Infinity)
    const nbf = timeOf(claims, 'nbf', -Infinity)
    if (exp === undefined || nbf === undefined) return key.refusals.bad_claims
    const refusal = untimely(exp, nbf, key.refusals, now)
    if (refusal !== undefined) return refusal

    const settle = (isGood: boolean): Verdict => {
      const verdict = isGood
        ? Object.freeze({
            status: 'valid',
            key: key.name,
            claims,
            claimsText: claimsText!,
          } as const)
        : key.refusals.bad_signature
      if (isGood) keySet.prove(jws.header, key)
      cache?.add({
        token: detach(token),
        scope: keySet.scope,
        refusals: key.refusals,
        exp,
        nbf,
        verdict,
      })
      return verdict
    }
    return check(crypto, jws, settle, key.refusals.unavailable)
  }

  /** Written so that a clock that is not a number refuses. */
  function untimely(
    exp: number,
    nbf: number,
    refusals: KeyEntry['refusals'],
    now: number,
  ): Verdict | undefined {
    if (!(now < exp + tolerance)) return refusals.expired
    if (!(now + tolerance >= nbf)) return refusals.not_yet_valid
    return undefined
  }

  return { verify } as Verifier<Result>
}

/**
 * Whether the signature of a token is good, whatever its payload: the layer of RFC 7515 without the
 * claims of RFC 7519.
 */
export function verifySignature<Result extends boolean | Promise<boolean>>(
  token: string,
  keySet: KeySet,
  crypto: CryptoBackend<Result>,
): boolean | Result {
  const jws = parseJws(token, keySet, crypto)
  if ('status' in jws) return false
  return crypto.verify(jws.key.handle, jws.signingInput, jws.signature)
}

/** One path for answers that come at once and later. */
function check(
  crypto: CryptoBackend,
  { key, signingInput, signature }: Jws,
  settle: (isGood: boolean) => Verdict,
  unavailable: Verdict,
): Verdict | Promise<Verdict> {
  let result: boolean | Promise<boolean>
  try {
    result = crypto.verify(key.handle, signingInput, signature)
  } catch {
    return unavailable
  }
  return typeof result === 'boolean' ? settle(result) : result.then(settle, () => unavailable)
}

/** A NumericDate (RFC 7519 2), `absent` when there is none, `undefined` when it is no finite number. */
function timeOf(claims: JsonObject, name: string, absent: number): number | undefined {
  if (!Object.hasOwn(claims, name)) return absent
  const value = claims[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function inRange(name: string, value: number, min: number, max: number): void {
  if (value >= min && value <= max) return
  throw new RangeError(`${name} must be a number from ${min} to ${max}`)
}
