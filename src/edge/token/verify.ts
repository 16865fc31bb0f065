import type { CryptoBackend } from './crypto-backend.js'
import { parseObject, type Json } from './json-object.js'
import { inRange } from './in-range.js'
import { isBelow, type KeySet } from './key-set.js'
import { openToken } from './open-token.js'
import { decodeUtf8, detach } from './utf8.js'
import { Remembered, type VerdictCache } from './verdict-cache.js'
import { refuse, ValidVerdict, type Claims, type KeyName, type Verdict } from './verdict.js'

/** At once where the runtime's cryptography is, else at once or later. */
export type Answer<Result extends boolean | Promise<boolean>> =
  Result extends Promise<boolean> ? Verdict | Promise<Verdict> : Verdict

export interface Verifier<Result extends boolean | Promise<boolean> = boolean | Promise<boolean>> {
  /**
   * Judges a token by the keys of one configuration. Never throws and never rejects.
   *
   * @param token the token's text, its scheme removed; empty or none is `absent`
   * @param nowSeconds the time in seconds since 1970, fractions allowed
   * @param spare characters that the text which the token was cut from has beside it: where they
   *   are known to be few, the token is remembered as it is instead of a copy
   */
  verify(
    token: string | null | undefined,
    keySet: KeySet,
    nowSeconds: number,
    spare?: number,
  ): Answer<Result>
}

export interface VerifierOptions<
  Result extends boolean | Promise<boolean> = boolean | Promise<boolean>,
> {
  readonly crypto: CryptoBackend<Result>
  /** Seconds that clocks may differ, both ways: 0 to 3,600. Default 60. */
  readonly tolerance?: number | undefined
  /** A longer token is `too_large`. Default 16,384. */
  readonly maxTokenBytes?: number | undefined
  readonly cache?: VerdictCache | undefined
}

/**
 * Makes a verifier of JWTs in compact form (RFC 7519, 7515). It takes no key from a token, no
 * algorithm but the configured key's, and no time but the caller's.
 *
 * @throws {RangeError} when tolerance or size cannot be meant.
 */
export function createVerifier<Result extends boolean | Promise<boolean>>(
  options: VerifierOptions<Result>,
): Verifier<Result> {
  const maxTolerance = 3600
  // Slices keep the whole text alive, so no remembered token may bring more of it along.
  const maxSpare = 64
  // Where `exp` and `nbf` are absent: a finite number beyond any time.
  const always = 1e300
  const { crypto, tolerance = 60, maxTokenBytes = 16_384, cache } = options
  inRange('tolerance', tolerance, 0, maxTolerance)
  inRange('maxTokenBytes', maxTokenBytes, 1, 2 ** 24)
  const { open = openToken, utf8 = decodeUtf8, skimTimes } = crypto

  /** The payload of a token that is good. */
  const textOf = (token: string): string => utf8(open(token)!.payload)!

  function verify(
    token: string | null | undefined,
    keySet: KeySet,
    now: number,
    spare?: number,
  ): Verdict | Promise<Verdict> {
    if (!token) return refuse('absent')
    if (token.length > maxTokenBytes) return refuse('too_large')
    const { scope } = keySet
    const known = cache?.find(token, scope)
    if (known !== undefined) {
      const { verdict, exp, nbf } = known
      return untimely(verdict.key, exp, nbf, now) ?? verdict
    }

    const jws = open(token)
    if (jws === undefined) return refuse('malformed')
    const entry = keySet.find(jws.header)
    if ('status' in entry) return entry
    const key = entry.name
    let claims: Claims | undefined
    const times = skimTimes?.(jws.payload) ?? (claims = parseObject(utf8(jws.payload)))
    // Of a payload that is no JSON object: times that are none.
    const { exp = always, nbf = -always } = times || { exp: null }
    if (!isTime(exp) || !isTime(nbf)) return refuse('bad_claims', key)
    const refusal = untimely(key, exp, nbf, now)
    if (refusal !== undefined) return refusal
    if (!isBelow(jws.signature, entry.limit)) return entry.refusal

    const settle = (isGood: boolean): Verdict => {
      if (!isGood && !cache?.isBack(token, scope)) return entry.refusal
      // Without a cache nothing is kept; `undefined` characters may be any number of them.
      const kept = !cache || spare! <= maxSpare ? token : detach(token)
      const verdict = isGood
        ? Object.freeze(new ValidVerdict(key, kept, textOf, claims))
        : entry.refusal
      cache?.add(new Remembered(kept, scope, verdict, exp, nbf))
      return verdict
    }
    const unavailable = (): Verdict => ({
      ...refuse('unavailable', key),
      presumed: new ValidVerdict(key, token, textOf, claims),
    })
    try {
      const result = crypto.verify(entry.handle, jws.signingInput, jws.signature)
      // Where code runs in a realm of its own (tests often do), the platform's promises are of another.
      return typeof result === 'boolean'
        ? settle(result)
        : Promise.resolve(result).then(settle, unavailable)
    } catch {
      return unavailable()
    }
  }

  /** Written so that a clock that is not a number refuses. */
  const untimely = (key: KeyName | null, exp: number, nbf: number, now: number) =>
    now < exp + tolerance
      ? now >= nbf - tolerance
        ? undefined
        : refuse('not_yet_valid', key)
      : refuse('expired', key)

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
  const { open = openToken } = crypto
  const jws = open(token)
  const key = jws && keySet.find(jws.header)
  if (key === undefined || 'status' in key || !isBelow(jws!.signature, key.limit)) return false
  return crypto.verify(key.handle, jws!.signingInput, jws!.signature)
}

/** Whether a claim is a NumericDate (RFC 7519 2). JSON has no infinity, but parsing 1e999 gives it. */
const isTime = Number.isFinite as (value: Json) => value is number
