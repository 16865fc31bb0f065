/** Fewer rounds than these tell less than all together do. */
const FEWEST = 5

/**
 * The rounds that count: those in which every one of the rows was measured in quiet moments, as far as a
 * probe before and after could tell, or all where those are few. What is measured decides nothing by how
 * long it takes; only what it leaves behind on other threads may be in the way of the probe after it.
 *
 * @param rows with `rounds`, and `quiet` for each of them where somebody asked
 * @returns their indices
 */
export function quietRounds(...rows) {
  const all = rows[0].rounds.map((_, round) => round)
  const quiet = all.filter((round) => rows.every((row) => row.quiet?.[round] !== false))
  return quiet.length >= FEWEST ? quiet : all
}
