import { trace, type Predicate, type TokenState } from '../../edge/expression/index.js'

const STATES: readonly TokenState[] = ['absent', 'invalid', 'valid']
/** Beyond this many combinations the question is left open. */
const MAX_WORLDS = 4096

type Question = (world: ReadonlyMap<string, unknown>) => boolean

/**
 * Whether an expression is always true, or always false, whatever the request: `undefined` when it
 * is neither, or when that cannot be told by trying every state of the tokens and both outcomes of
 * every comparison. Comparisons count as independent, so a verdict is certain.
 */
export function constantOf(predicate: Predicate): boolean | undefined {
  const steps = trace(predicate, { field: () => undefined, token: () => 'absent' })
  let at = 0
  const choices = new Map<string, readonly unknown[]>()
  const ask = read()
  const worlds = [...choices.values()].reduce((count, { length }) => count * length, 1)
  if (worlds > MAX_WORLDS) return undefined
  let constant: boolean | undefined
  for (let world = 0; world < worlds; world++) {
    const answer = ask(worldAt(world, choices))
    constant ??= answer
    if (answer !== constant) return undefined
  }
  return constant

  /** Steps stand in the order of a walk: a part follows what it is a part of, one level deeper. */
  function read(): Question {
    const { kind, depth, text } = steps[at++]!
    const parts = (): Question[] => {
      const found: Question[] = []
      while (steps[at]?.depth === depth + 1) found.push(read())
      return found
    }
    if (kind === 'and') return every(parts())
    if (kind === 'or') return some(parts())
    if (kind === 'xor') return odd(parts())
    if (kind === 'not') return none(parts())
    while ((steps[at]?.depth ?? 0) > depth) at++
    if (kind === 'literal') return () => text === 'true'
    return atom(text)
  }

  function atom(text: string): Question {
    const [, test, id] = /^is_jwt_(valid|present)\s*\(\s*"([^"\\]*)"\s*\)$/.exec(text) ?? []
    const name = id === undefined ? `? ${text}` : `token ${id}`
    choices.set(name, id === undefined ? [false, true] : STATES)
    if (test === 'valid') return (world) => world.get(name) === 'valid'
    if (test === 'present') return (world) => world.get(name) !== 'absent'
    return (world) => world.get(name) === true
  }
}

const every =
  (parts: readonly Question[]): Question =>
  (world) =>
    parts.every((part) => part(world))
const some =
  (parts: readonly Question[]): Question =>
  (world) =>
    parts.some((part) => part(world))
const none =
  (parts: readonly Question[]): Question =>
  (world) =>
    !parts.some((part) => part(world))
const odd =
  (parts: readonly Question[]): Question =>
  (world) =>
    parts.filter((part) => part(world)).length % 2 === 1

function worldAt(
  index: number,
  choices: ReadonlyMap<string, readonly unknown[]>,
): ReadonlyMap<string, unknown> {
  let rest = index
  return new Map(
    [...choices].map(([name, values]) => {
      const value = values[rest % values.length]
      rest = Math.floor(rest / values.length)
      return [name, value]
    }),
  )
}
