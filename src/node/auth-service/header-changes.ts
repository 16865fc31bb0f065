import type { HeaderEdits } from '../../edge/embed/index.js'

/** What a proxy changes in a request on its way upstream. No name is in both lists. */
export interface HeaderChanges {
  /** Lines that take the place of all of their name. */
  readonly set: readonly (readonly [name: string, value: string])[]
  /** Names, in lower case, whose lines go. */
  readonly gone: readonly string[]
}

const NONE: HeaderChanges = { set: [], gone: [] }

/** The edits of a decision, for a proxy that may set and remove headers in an order of its own. */
export function headerChanges(edits: HeaderEdits | null): HeaderChanges {
  if (edits === null) return NONE
  const { remove, set, cookie } = edits
  const given = new Set(set.map(([name]) => name.toLowerCase()))
  const gone = remove.filter((name) => !given.has(name))
  if (cookie === null) gone.push('cookie')
  return { set: typeof cookie === 'string' ? [...set, ['cookie', cookie]] : set, gone }
}
