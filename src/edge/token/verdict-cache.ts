import type { KeyEntry } from './key-set.js'
import type { Verdict } from './verdict.js'

/** What is remembered of a token whose signature was looked at. */
export interface Remembered {
  /** The whole token: identity is equality of the full text, never of a part or a hash. */
  readonly token: string
  /** Identity of the key set that judged it. */
  readonly scope: object
  readonly key: KeyEntry
  readonly exp: number
  readonly nbf: number
  readonly verdict: Verdict
}

export interface VerdictCacheOptions {
  /** Verified tokens to remember; rounded up to a power of two. Default 4,096. */
  readonly entries?: number
  /** Tokens with a bad signature to remember; rounded up to a power of two. Default 1,024. */
  readonly rejected?: number
  /** Characters of token text held by either table. Default 1,024 per entry. */
  readonly maxBytes?: number
}

export interface VerdictCacheStats {
  /** Tokens found among the verified ones. */
  readonly hits: number
  /** Tokens found among the rejected ones. */
  readonly rejectedHits: number
  readonly misses: number
  readonly entries: number
  readonly rejectedEntries: number
  /** Characters of token text held. */
  readonly bytes: number
}

const WAYS = 4
const MAX_ENTRIES = 2 ** 20
/** A longer token is not remembered when its signature is bad: junk costs its sender nothing. */
const MAX_REJECTED_LENGTH = 4096

/**
 * A bounded set-associative table. Its index are five characters near the end of the signature,
 * which are as good as random and cost far less than a hash of the text; the last character is left
 * out, as it carries few bits.
 */
class TokenTable {
  readonly #slots: (Remembered | undefined)[]
  readonly #mask: number
  readonly #maxBytes: number
  #hand = 0
  count = 0
  bytes = 0

  constructor(entries: number, maxBytes: number = entries * 1024) {
    if (!(entries >= 1 && entries <= MAX_ENTRIES && maxBytes >= 0)) {
      throw new RangeError(`a verdict cache holds 1 to ${MAX_ENTRIES} entries in 0 or more bytes`)
    }
    const sets = 2 ** Math.ceil(Math.log2(Math.max(entries, WAYS) / WAYS))
    this.#slots = Array.from({ length: sets * WAYS })
    this.#mask = sets - 1
    this.#maxBytes = maxBytes
  }

  find(token: string, scope: object): Remembered | undefined {
    const slots = this.#slots
    const first = this.#indexOf(token)
    for (let slot = first; slot < first + WAYS; slot++) {
      const entry = slots[slot]
      if (entry !== undefined && entry.token === token && entry.scope === scope) return entry
    }
    return undefined
  }

  add(entry: Remembered): void {
    const { length } = entry.token
    if (length > this.#maxBytes) return
    const first = this.#indexOf(entry.token)
    let slot = first
    while (slot < first + WAYS && !this.#mayTake(slot, entry)) slot++
    if (slot === first + WAYS) slot = first + (this.#hand++ & (WAYS - 1))
    this.#remove(slot)
    while (this.bytes + length > this.#maxBytes) this.#remove(this.#hand++ % this.#slots.length)
    this.#slots[slot] = entry
    this.count++
    this.bytes += length
  }

  /** Free, or held by the same token: two requests may have verified it at the same time. */
  #mayTake(slot: number, { token, scope }: Remembered): boolean {
    const held = this.#slots[slot]
    return held === undefined || (held.token === token && held.scope === scope)
  }

  #remove(slot: number): void {
    const entry = this.#slots[slot]
    if (entry === undefined) return
    this.#slots[slot] = undefined
    this.count--
    this.bytes -= entry.token.length
  }

  #indexOf(token: string): number {
    const end = token.length - 2
    let hash = token.charCodeAt(end)
    for (let at = end - 1; at > end - 5; at--) hash = Math.imul(hash, 61) + token.charCodeAt(at)
    return ((hash ^ (hash >>> 15)) & this.#mask) * WAYS
  }
}

/**
 * Remembers what signatures turned out to be. Verified tokens and rejected ones have a table each,
 * so that junk never pushes out a good token, and only tokens whose signature was checked enter.
 * Rules, claims policy and time are not remembered: `exp` and `nbf` are looked at on every hit.
 */
export class VerdictCache {
  readonly #verified: TokenTable
  readonly #rejected: TokenTable
  #hits = 0
  #rejectedHits = 0
  #misses = 0

  constructor({ entries = 4096, rejected = 1024, maxBytes }: VerdictCacheOptions = {}) {
    this.#verified = new TokenTable(entries, maxBytes)
    this.#rejected = new TokenTable(rejected, maxBytes)
  }

  find(token: string, scope: object): Remembered | undefined {
    const verified = this.#verified.find(token, scope)
    if (verified !== undefined) {
      this.#hits++
      return verified
    }
    const rejected = this.#rejected.find(token, scope)
    if (rejected === undefined) this.#misses++
    else this.#rejectedHits++
    return rejected
  }

  add(entry: Remembered): void {
    if (entry.verdict.status === 'valid') this.#verified.add(entry)
    else if (entry.token.length <= MAX_REJECTED_LENGTH) this.#rejected.add(entry)
  }

  stats(): VerdictCacheStats {
    return {
      hits: this.#hits,
      rejectedHits: this.#rejectedHits,
      misses: this.#misses,
      entries: this.#verified.count,
      rejectedEntries: this.#rejected.count,
      bytes: this.#verified.bytes + this.#rejected.bytes,
    }
  }
}

/** A verdict cache to hand to one or several verifiers. Its memory is bounded from the start. */
export function createVerdictCache(options?: VerdictCacheOptions): VerdictCache {
  return new VerdictCache(options)
}
