import { ApiError } from '../http/index.js'
import { CODES } from './codes.js'
import type { RulePosition } from './ruleset-schema.js'

/**
 * A list with one item moved to a place.
 * @throws {ApiError} 400 for a place next to an unknown item or to itself
 */
export function placeRule<Item extends { readonly id?: string | undefined }>(
  items: readonly Item[],
  item: Item,
  position: RulePosition | undefined,
): readonly Item[] {
  if (position === undefined) return items
  const others = items.filter((other) => other !== item)
  return others.toSpliced(indexOf(others, position), 0, item)
}

function indexOf(
  others: readonly { readonly id?: string | undefined }[],
  to: RulePosition,
): number {
  if ('index' in to) return to.index - 1
  const [name, id] = Object.entries(to)[0] as ['before' | 'after', string]
  if (id === '') return name === 'before' ? 0 : others.length
  const at = others.findIndex((other) => other.id === id)
  if (at < 0)
    throw new ApiError(
      400,
      CODES.invalid_position,
      'expected the id of another rule of the ruleset',
      `/position/${name}`,
    )
  return name === 'before' ? at : at + 1
}
