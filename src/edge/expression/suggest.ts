/** The name closest to a misspelt one, if one is close enough to be meant. */
export function suggest(wrong: string, names: Iterable<string>): string | undefined {
  const longest = 64
  let best: string | undefined
  let bound = wrong.length > longest ? 0 : 1 + Math.min(3, Math.floor(wrong.length / 3))
  for (const name of names) {
    if (Math.abs(name.length - wrong.length) >= bound) continue
    const far = distance(wrong.toLowerCase(), name.toLowerCase(), bound)
    if (far < bound) [best, bound] = [name, far]
  }
  return best
}

/** How many letters must be put in, taken out, replaced or swapped, if that is fewer than `most`. */
function distance(a: string, b: string, most: number): number {
  if (most < 1 || !a || !b) return Math.max(a.length, b.length)
  const x = a.slice(1)
  const y = b.slice(1)
  if (a[0] === b[0]) return distance(x, y, most)
  const swapped = a[0] === y[0] && x[0] === b[0]
  const less = most - 1
  return (
    1 +
    Math.min(
      swapped ? distance(x.slice(1), y.slice(1), less) : distance(x, y, less),
      distance(x, b, less),
      distance(a, y, less),
    )
  )
}
