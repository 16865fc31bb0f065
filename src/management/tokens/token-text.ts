import { digest } from '../store/index.js'

const BYTES = 32
/** Characters of the hash that a row is found by: enough to be one row, not enough to be the hash. */
const LOOKUP = 16

/** A new API token: 256 random bits that can be told from other texts, by scanners too. */
export function newTokenText(random: (bytes: number) => Uint8Array): string {
  const text = btoa(String.fromCharCode(...random(BYTES)))
  return `pcl_${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** What is kept of a token. */
export async function fingerprint(
  token: string,
): Promise<{ readonly hash: string; readonly lookup: string }> {
  const hash = await digest(token)
  return { hash, lookup: hash.slice(0, LOOKUP) }
}

/** Compares two hashes in a time that tells nothing about where they differ. */
export function sameHash(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
