const LONGEST = 64

/** The name closest to a misspelt one, if one is close enough to be meant. */
export function suggest(wrong: string, names: Iterable<string>): string | undefined {
  if (wrong.length > LONGEST) return
  let best: string | undefined
  let bound = 1 + Math.min(3, Math.floor(wrong.length / 3))
  for (const name of names) {
    if (Math.abs(name.length - wrong.length) >= bound) continue
    const far = distance(wrong.toLowerCase(), name.toLowerCase())
    if (far < bound) [best, bound] = [name, far]
  }
  return best
}

/** How many letters must be put in, taken out, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let older: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1)
      }
      row.push(cost)
    }
    ;[older, above] = [above, row]
  }
  return above[b.length] ?? 0
}
