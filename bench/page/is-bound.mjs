import { BOUNDS } from './bounds.mjs'
import { runtimeLabel } from './runtime-label.mjs'

/** Whether any bound is about a suite on a runtime; one that runs once says itself where that was. */
export function isBound({ name, everywhere }, runtime) {
  return BOUNDS.some(
    (bound) =>
      suiteOf(bound) === name && (everywhere !== true || bound.on.includes(runtimeLabel(runtime))),
  )
}

const suiteOf = ({ row, everyRowOf, fasterThanPeersIn }) =>
  row?.[0] ?? everyRowOf ?? fasterThanPeersIn
