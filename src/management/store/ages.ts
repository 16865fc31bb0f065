/**
 * Times of creation for rows in a given order: those that are there keep theirs, others get one in
 * between. Where there is no room the later ones move on by microseconds, so the order always holds.
 */
export function agesInOrder(
  ids: readonly string[],
  known: ReadonlyMap<string, number>,
  at: number,
): readonly number[] {
  const firstKnown = ids.findIndex((id) => known.has(id))
  const first = firstKnown < 0 ? at : known.get(ids[firstKnown]!)! - firstKnown
  let last = first - 1
  return ids.map((id) => (last = Math.max(known.get(id) ?? 0, last + 1)))
}
