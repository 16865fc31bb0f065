import { inRange } from './in-range.js'
import type { KeyName, Verdict } from './verdict.js'

/** Identity of a key set: objects are compared, the seed only spreads. It keeps no key alive. */
export interface Scope {
  readonly seed: number
}

/** When a token may be used, and whose it is. */
export interface Validity {
  readonly key: KeyName
  readonly exp: number
  readonly nbf: number
}

/**
 * What is remembered of a token whose signature was looked at. A class, since V8 comes to place
 * literals that live long among old objects: let go, they would still hold their text, young as it
 * is, until all memory is looked through, and each token would cost 2 µs more.
 */
export class Remembered implements Validity {
  /** The whole token: identity is equality of the full text, never of a part or a hash. */
  readonly token: string
  readonly scope: Scope
  readonly verdict: Verdict
  readonly key: KeyName
  readonly exp: number
  readonly nbf: number

  constructor(token: string, scope: Scope, verdict: Verdict, { key, exp, nbf }: Validity) {
    this.token = token
    this.scope = scope
    this.verdict = verdict
    this.key = key
    this.exp = exp
    this.nbf = nbf
  }
}

export interface VerdictCacheOptions {
  /** Verified tokens to remember at most; half of it is always of use. Default 4,096. */
  readonly entries?: number
  /** Tokens with a bad signature to remember at most. Default 1,024. */
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

const MAX_ENTRIES = 2 ** 20
/** A longer token is not remembered when its signature is bad: junk costs its sender nothing. */
const MAX_REJECTED_LENGTH = 4096

/**
 * A bounded table of two generations. What is found in the old one moves to the young one; when that
 * is half of the bound, it becomes the old one and what was not asked for since is gone. So no entry
 * in use is lost while half of the bound holds all of them, and nothing is kept in order of use.
 *
 * The index is a number made of a few characters of the signature: as good as random, and far cheaper
 * than the hash of the text that a Map of tokens needs. Two tokens with one index replace each other.
 */
function tokenTable(entries: number, maxBytes: number = entries * 1024) {
  inRange('cache entries', entries, 2, MAX_ENTRIES)
  inRange('maxBytes', maxBytes, 0, Infinity)
  const [mostEntries, mostBytes] = [Math.floor(entries / 2), maxBytes / 2]
  let [young, old] = [new Map<number, Remembered>(), new Map<number, Remembered>()]
  let [youngBytes, oldBytes] = [0, 0]
  let [hits, misses] = [0, 0]

  function add(entry: Remembered): void {
    const { length } = entry.token
    if (length > mostBytes) return
    if (young.size >= mostEntries || youngBytes + length > mostBytes) {
      ;[old, oldBytes] = [young, youngBytes]
      ;[young, youngBytes] = [new Map(), 0]
    }
    const index = indexOf(entry.token, entry.scope)
    youngBytes += length - (young.get(index)?.token.length ?? 0)
    young.set(index, entry)
  }

  function find(token: string, scope: Scope): Remembered | undefined {
    const index = indexOf(token, scope)
    let found = young.get(index)
    if (!isOf(found, token, scope)) {
      found = old.get(index)
      if (!isOf(found, token, scope)) {
        misses++
        return undefined
      }
      old.delete(index)
      oldBytes -= token.length
      add(found)
    }
    hits++
    return found
  }

  const stats = () => ({ hits, misses, size: young.size + old.size, bytes: youngBytes + oldBytes })
  return { add, find, stats }
}

function isOf(entry: Remembered | undefined, token: string, scope: Scope): entry is Remembered {
  return entry !== undefined && entry.token === token && entry.scope === scope
}

/** Thirty bits, which every engine keeps as a small integer. The last character carries few bits. */
function indexOf(token: string, scope: Scope): number {
  const end = token.length - 1
  let bits = 0
  for (let at = end - 5; at < end; at++) bits = (bits << 6) ^ token.charCodeAt(at)
  return (bits ^ scope.seed) & 0x3fffffff
}

/**
 * Remembers what signatures turned out to be. Verified tokens and rejected ones have a table each,
 * so that junk never pushes out a good token, and only tokens whose signature was checked enter.
 * Rules, claims policy and time are not remembered: `exp` and `nbf` are looked at on every hit.
 */
export interface VerdictCache {
  find(token: string, scope: Scope): Remembered | undefined
  add(entry: Remembered): void
  stats(): VerdictCacheStats
}

/** A verdict cache to hand to one or several verifiers. Its memory is bounded from the start. */
export function createVerdictCache({
  entries = 4096,
  rejected: rejectedEntries = 1024,
  maxBytes,
}: VerdictCacheOptions = {}): VerdictCache {
  const verified = tokenTable(entries, maxBytes)
  const rejected = tokenTable(rejectedEntries, maxBytes)
  return {
    find: (token, scope) => verified.find(token, scope) ?? rejected.find(token, scope),
    add(entry) {
      if (entry.verdict.status === 'valid') verified.add(entry)
      else if (entry.token.length <= MAX_REJECTED_LENGTH) rejected.add(entry)
    },
    stats() {
      const [good, bad] = [verified.stats(), rejected.stats()]
      return {
        hits: good.hits,
        rejectedHits: bad.hits,
        misses: bad.misses,
        entries: good.size,
        rejectedEntries: bad.size,
        bytes: good.bytes + bad.bytes,
      }
    },
  }
}
