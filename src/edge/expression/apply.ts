import type { Run } from './functions/signature.js'
import type { Ask, Make } from './node.js'
import type { List, Value } from './value.js'

/** Calls a function with what its arguments come to; the result is missing when one of them is. */
export const applying =
  (run: Run, mode?: string): Make =>
  (...asks) => {
    const [first, second] = asks
    if (mode || !first || asks.length > 2) {
      return (facts) =>
        apply(
          run,
          mode,
          asks.map((ask) => ask(facts)),
        )
    }
    return (facts) => {
      const value = first(facts)
      if (value === undefined) return undefined
      if (!second) return run(value)
      const other = second(facts)
      return other === undefined ? undefined : run(value, other)
    }
  }

/** Calls it for each element of the first argument; results that are missing are left out. */
export const mapping =
  (run: Run, mode?: string): Make =>
  (first, ...others) =>
  (facts) => {
    const rest = others.map((ask) => ask(facts))
    return ((first as Ask)(facts) as List)
      .map((value) => apply(run, mode, [value, ...rest]))
      .filter((value) => value !== undefined)
  }

function apply(
  run: Run,
  mode: string | undefined,
  values: readonly (Value | undefined)[],
): Value | undefined {
  return mode || !values.includes(undefined) ? run(...values) : undefined
}
