import { NEWLINE, WORD } from './byte-set.js'
import type { ByteSet } from './byte-set.js'
import { EDGE, LETTER, LINE, OTHER } from './syntax.js'
import type { Side } from './syntax.js'

/** Bytes that no set of a program tells apart share a class. The last class is the end. */
export interface ByteClasses {
  readonly classOf: Uint8Array | Uint16Array
  readonly count: number
  /** By set, then by class, whether the class is in the set. */
  readonly members: readonly Uint8Array[]
  /** By class, what it is to an assertion beside it. */
  readonly sides: readonly Side[]
}

/** Sorts all bytes into as few classes as these sets allow. */
export function classify(sets: readonly ByteSet[]): ByteClasses {
  const parting = [...sets, NEWLINE, WORD]
  const classes = new Map<string, number>()
  const firsts: number[] = []
  const classOf = new Uint16Array(256)
  for (let byte = 0; byte < 256; byte++) {
    const key = parting.map((set) => (has(set, byte) ? '1' : '0')).join('')
    const known = classes.get(key) ?? firsts.push(byte) - 1
    classes.set(key, known)
    classOf[byte] = known
  }
  const members = sets.map((set) => Uint8Array.from(firsts, (byte) => (has(set, byte) ? 1 : 0)))
  const sides = firsts.map((byte) => (has(NEWLINE, byte) ? LINE : has(WORD, byte) ? LETTER : OTHER))
  return { classOf, count: firsts.length + 1, members, sides: [...sides, EDGE] }
}

const has = (set: ByteSet, byte: number): boolean => ((set >> BigInt(byte)) & 1n) === 1n
