import { classify } from './byte-classes.js'
import { ASSERT, BYTE, SPLIT } from './program.js'
import type { Program } from './program.js'
import { EDGE, OTHER } from './syntax.js'

/** How much the states kept of one expression may weigh, in bytes, by a rough count. */
const CACHE_BYTES = 2 ** 21
const STATE_BYTES = 160

/**
 * A state of the deterministic automaton: its key spells the side before the place and the steps
 * that are to be taken from it, its transitions are found when they are first needed.
 */
interface State {
  readonly key: string
  readonly next: (State | undefined)[]
}

const FOUND: State = { key: '', next: [] }
const LOST: State = { key: '', next: [] }

/**
 * A search for the program anywhere in a text of bytes. Its time grows with the text's length and
 * nothing else about the text: a byte costs one look-up, or one pass over the steps when its state
 * is new. When the states kept are too many, all are forgotten.
 */
export function createSearch(program: Program): (bytes: string) => boolean {
  const { kinds, a, b } = program
  const { classOf, count, members, sides } = classify(program.sets)
  const asserting = kinds.includes(ASSERT)
  const end = count - 1
  const visited = new Uint32Array(kinds.length)
  const chosen = new Uint32Array(kinds.length)
  let stamp = 0
  let weight = 0
  const states = new Map<string, State>()
  const anchored = isAnchored()

  /** Goes on from a step without reading, where `place` is known, and says whether that finds. */
  function follow(stack: number[], place: number, byteClass: number): boolean {
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      if (visited[step] === stamp) continue
      visited[step] = stamp
      const [first, second] = [a[step] as number, b[step] as number]
      const kind = kinds[step]
      if (kind === BYTE) {
        if (members[first]?.[byteClass]) chosen[second] = stamp
      } else if (kind === SPLIT) {
        stack.push(second, first)
      } else if (kind === ASSERT) {
        if ((first >> place) & 1) stack.push(second)
      } else {
        return true
      }
    }
    return false
  }

  function isAnchored(): boolean {
    for (let place = 4; place < 16; place++) {
      stamp++
      const found = follow([program.start], place, end)
      if (found || kinds.some((kind, step) => kind === BYTE && visited[step] === stamp))
        return false
    }
    return true
  }

  function intern(key: string): State {
    const known = states.get(key)
    if (known) return known
    const state: State = { key, next: Array.from({ length: count }) }
    weight += STATE_BYTES + 8 * count + 2 * key.length
    if (weight > CACHE_BYTES) {
      states.clear()
      weight = stamp = 0
      visited.fill(0)
      chosen.fill(0)
    }
    states.set(key, state)
    return state
  }

  /** The transition of a state by a class of bytes, or by the end. */
  function advance(state: State, byteClass: number): State {
    stamp++
    const stack = Array.from(state.key.slice(1), (step) => step.charCodeAt(0))
    const side = sides[byteClass] as number
    if (follow(stack, state.key.charCodeAt(0) * 4 + side, byteClass)) return FOUND
    if (byteClass === end) return LOST
    if (!anchored) chosen[program.start] = stamp
    let key = ''
    for (let step = 0; step < chosen.length; step++) {
      if (chosen[step] === stamp) key += String.fromCharCode(step)
    }
    return key === '' ? LOST : intern(String.fromCharCode(asserting ? side : OTHER) + key)
  }

  return (bytes) => {
    let state = intern(String.fromCharCode(asserting ? EDGE : OTHER, program.start))
    for (let index = 0; index <= bytes.length; index++) {
      const byteClass =
        index < bytes.length ? (classOf[bytes.charCodeAt(index) & 255] as number) : end
      const next = state.next[byteClass]
      state = next ?? (state.next[byteClass] = advance(state, byteClass))
      if (state === FOUND) return true
      if (state === LOST) return false
    }
    return false
  }
}
