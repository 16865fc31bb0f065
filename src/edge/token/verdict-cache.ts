import { inRange } from './in-range.js'
import type { Verdict } from './verdict.js'

/** Identity of a key set: objects are compared, the seed only spreads. It keeps no key alive. */
export interface Scope {
  readonly seed: number
}

/**
 * What is remembered of a token whose signature was looked at. A class, since V8 comes to place
 * literals that live long among old objects: let go, they would still hold their text, young as it
 * is, until all memory is looked through, and each token would cost 2 µs more.
 */
export class Remembered {
  /** The whole token: identity is equality of the full text, never of a part or a hash. */
  readonly token: string
  readonly scope: Scope
  readonly verdict: Verdict
  readonly exp: number
  readonly nbf: number

  constructor(token: string, scope: Scope, verdict: Verdict, exp: number, nbf: number) {
    this.token = token
    this.scope = scope
    this.verdict = verdict
    this.exp = exp
    this.nbf = nbf
  }
}

export interface VerdictCacheOptions {
  /** Verified tokens to remember at most; half of it is always of use. Default 4,096. */
  readonly entries?: number
  /** Tokens with a bad signature, met twice, to remember at most. Default 1,024. */
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

/**
 * A bounded table of two generations. What is found in the old one moves to the young one; when that
 * is half of the bound, it becomes the old one and what was not asked for since is gone. So no entry
 * in use is lost while half of the bound holds all of them, and nothing is kept in order of use.
 *
 * The index is a number made of a few characters of the signature: as good as random, and far cheaper
 * than the hash of the text that a Map of tokens needs. Two tokens with one index replace each other.
 */
function tokenTable(entries: number, maxBytes: number = entries * 1024) {
  const most = 2 ** 20
  inRange('entries', entries, 2, most)
  inRange('maxBytes', maxBytes, 0, Infinity)
  const mostEntries = Math.floor(entries / 2)
  const mostBytes = maxBytes / 2
  let young = new Map<number, Remembered>()
  let old = new Map<number, Remembered>()
  let youngBytes = 0
  let oldBytes = 0

  function add(entry: Remembered): void {
    const { length } = entry.token
    if (length > mostBytes) return
    if (young.size >= mostEntries || youngBytes + length > mostBytes) {
      old = young
      oldBytes = youngBytes
      young = new Map()
      youngBytes = 0
    }
    const index = indexOf(entry.token, entry.scope)
    youngBytes += length - (young.get(index)?.token.length ?? 0)
    young.set(index, entry)
  }

  function find(index: number, token: string, scope: Scope): Remembered | undefined {
    const recent = young.get(index)
    if (isOf(recent, token, scope)) return recent
    const found = old.get(index)
    if (!isOf(found, token, scope)) return undefined
    old.delete(index)
    oldBytes -= token.length
    add(found)
    return found
  }

  return { add, find, size: () => young.size + old.size, bytes: () => youngBytes + oldBytes }
}

function isOf(entry: Remembered | undefined, token: string, scope: Scope): entry is Remembered {
  return entry?.token === token && entry.scope === scope
}

/** Thirty bits, which every engine keeps as a small integer. The last character carries few bits. */
export function indexOf(token: string, scope: Scope, end: number = token.length - 1): number {
  let bits = 0
  for (let at = end - 5; at < end; at++) bits = (bits << 6) ^ token.charCodeAt(at)
  return (bits ^ scope.seed) & 0x3fffffff
}

/**
 * Remembers what signatures turned out to be. Verified tokens and rejected ones have a table each,
 * so that junk never pushes out a good token, and only tokens whose signature was checked enter; of
 * bad ones those that come again, so that a flood of junk leaves nothing behind but numbers.
 * Rules, claims policy and time are not remembered: `exp` and `nbf` are looked at on every hit.
 */
export interface VerdictCache {
  find(token: string, scope: Scope): Remembered | undefined
  /** Whether a bad token was met a short while ago, as this one is from now on. */
  isBack(token: string, scope: Scope): boolean
  add(entry: Remembered): void
  stats(): VerdictCacheStats
}

/** A verdict cache to hand to one or several verifiers. Its memory is bounded from the start. */
export function createVerdictCache({
  entries = 4096,
  rejected: rejectedEntries = 1024,
  maxBytes,
}: VerdictCacheOptions = {}): VerdictCache {
  // A longer token is not remembered when its signature is bad: junk costs its sender nothing.
  const maxRejectedLength = 4096
  // Bad tokens that are known to have been met once.
  const slots = 1024
  const verified = tokenTable(entries, maxBytes)
  const rejected = tokenTable(rejectedEntries, maxBytes)
  const once = new Int32Array(slots).fill(-1)
  let hits = 0
  let rejectedHits = 0
  let misses = 0
  return {
    find(token, scope) {
      const index = indexOf(token, scope)
      const good = verified.find(index, token, scope)
      const found = good ?? rejected.find(index, token, scope)
      if (good) hits++
      else if (found) rejectedHits++
      else misses++
      return found
    },
    isBack(token, scope) {
      const mark = indexOf(token, scope)
      const isBack = once[mark % slots] === mark
      once[mark % slots] = mark
      return isBack && token.length <= maxRejectedLength
    },
    add(entry) {
      const table = entry.verdict.status === 'valid' ? verified : rejected
      table.add(entry)
    },
    stats: () => ({
      hits,
      rejectedHits,
      misses,
      entries: verified.size(),
      rejectedEntries: rejected.size(),
      bytes: verified.bytes() + rejected.bytes(),
    }),
  }
}
