import type { Step } from './pattern.js'
import { EDGE, END, LETTER, LINE, OTHER, sideOf } from './side.js'
import type { Side } from './side.js'

/**
 * A state of the deterministic automaton: its key spells the side before the place and the steps
 * that are to be taken from it; its transitions are found when they are first needed.
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
export function createSearch(steps: readonly Step[], start: number): (bytes: string) => boolean {
  // How much the states that are kept may weigh, in bytes, by a rough count.
  const most = 2 ** 21
  const asserting = steps.some(([test]) => typeof test === 'function')
  const visited = new Float64Array(steps.length)
  const chosen = new Float64Array(steps.length)
  let stamp = 0
  const states = new Map<string, State>()
  const classes = classify(steps)
  const stateBytes = 160 + 8 * Math.max(...classes)
  let weight = 0
  const anchored = [LINE, LETTER, OTHER].every((before) =>
    [EDGE, LINE, LETTER, OTHER].every((after) => reach([start], before, after).length === 0),
  )

  /** Goes on from steps as far as that reads nothing, to those that read or have found. */
  function reach(stack: number[], before: Side, after: Side): Step[] {
    const reached: Step[] = []
    stamp++
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (visited[at] === stamp) continue
      visited[at] = stamp
      const step = steps[at] as Step
      const test = step[0]
      const next = step[1]
      if (next === undefined || typeof test === 'string') reached.push(step)
      else if (!test) stack.push(step[2] as number, next)
      else if (test(before, after)) stack.push(next)
    }
    return reached
  }

  function intern(side: Side, following: string): State {
    const key = String.fromCharCode(asserting ? side : OTHER) + following
    const known = states.get(key)
    if (known) return known
    weight += stateBytes + 2 * key.length
    if (weight > most) {
      states.clear()
      weight = 0
    }
    const state = { key, next: [] }
    states.set(key, state)
    return state
  }

  /** The transition of a state by a byte, or by the end. */
  function advance({ key }: State, byte: number): State {
    const side = sideOf(byte)
    const stack = Array.from(key.slice(1), (step) => step.charCodeAt(0))
    for (const step of reach(stack, key.charCodeAt(0), side)) {
      if (step[1] === undefined) return FOUND
      if ((step[0] as string)[255 - byte] === '1') chosen[step[1]] = stamp
    }
    if (byte === END) return LOST
    if (!anchored) chosen[start] = stamp
    let following = ''
    for (let step = 0; step < chosen.length; step++) {
      if (chosen[step] === stamp) following += String.fromCharCode(step)
    }
    return following ? intern(side, following) : LOST
  }

  return (bytes) => {
    let state = intern(EDGE, String.fromCharCode(start))
    for (let index = 0; index <= bytes.length; index++) {
      const byte = index < bytes.length ? bytes.charCodeAt(index) & 255 : END
      state = state.next[classes[byte] as number] ??= advance(state, byte)
      if (state === FOUND) return true
      if (state === LOST) return false
    }
    return false
  }
}

/** By byte, and for the end, a number that it shares with those that no step tells from it. */
function classify(steps: readonly Step[]): readonly number[] {
  const sets = [...new Set(steps.map(([test]) => (typeof test === 'string' ? test : '')))]
  const known = new Map<string, number>()
  return Array.from({ length: END + 1 }, (_, byte) => {
    const key = `${sideOf(byte)}${sets.map((set) => set[255 - byte]).join('')}`
    known.set(key, known.get(key) ?? known.size)
    return known.get(key) as number
  })
}
