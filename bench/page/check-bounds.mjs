import { BOUNDS } from './bounds.mjs'
import { COLUMNS } from '../measure/columns.mjs'
import { excess, share, shareText } from '../measure/compare-rows.mjs'
import { findRow } from './find-row.mjs'
import { figureBeside } from '../measure/figure.mjs'
import { runtimeLabel } from './runtime-label.mjs'
import { pairs } from './slower-than-peers.mjs'

/**
 * Holds results against the bounds.
 *
 * @param pace of the machine, as `paceOf` tells
 * @returns `{ what, on, bound, measured, holds, paced?, holdsPaced? }` for each bound and runtime;
 *   `holds` is undefined where it was not measured, `paced` where it is no CPU time
 */
export function checkBounds(results, { bounds = BOUNDS, pace } = {}) {
  return bounds.flatMap((bound) =>
    bound.on.map((on) => {
      const here = results.filter(({ runtime }) => runtimeLabel(runtime) === on)
      const { value, text } = measured(bound, here) ?? {}
      return {
        what: bound.what,
        on,
        bound: limitOf(bound),
        measured: text ?? 'not measured',
        holds: value === undefined ? undefined : isWithin(bound, value),
        ...(isCpuTime(bound) && paced(bound, value, pace)),
      }
    }),
  )
}

function isWithin({ atMost, atLeast, fasterThanPeersIn }, value) {
  if (fasterThanPeersIn !== undefined) return value < 1
  return atLeast === undefined ? value <= atMost : value >= atLeast
}

const isCpuTime = ({ row, column, partOf }) =>
  row !== undefined && column === undefined && partOf === undefined

/** What a CPU time, or a difference of two, would be at another pace; nothing where one is not known. */
function paced(bound, value, pace) {
  if (value === undefined || pace === undefined) return {}
  const text = bound.over === undefined ? microseconds : difference
  return { paced: text(value / pace, bound.atMost), holdsPaced: isWithin(bound, value / pace) }
}

const microseconds = (value, limit) => `${figureBeside(limit, value)} µs`
const difference = (value, limit) =>
  `${value < 0 ? '−' : '+'}${microseconds(Math.abs(value), limit)}`

function limitOf({ atMost, atLeast, column, row, over, partOf, fasterThanPeersIn }) {
  if (fasterThanPeersIn !== undefined) return 'faster than each'
  if (atLeast !== undefined) return `at least ${atLeast} ${unit(column)}`
  if (over !== undefined) return `+${atMost} µs`
  return partOf !== undefined || row === undefined ? `${atMost}x` : `${atMost} ${unit(column)}`
}

function measured(bound, results) {
  if (bound.fasterThanPeersIn !== undefined) return closest(bound.fasterThanPeersIn, results)
  if (bound.everyRowOf !== undefined) return worst(bound, results)
  const row = findRow(results, bound.row)
  const other = findRow(results, bound.over ?? bound.partOf ?? bound.row)
  if (row === undefined || other === undefined) return undefined
  if (bound.over !== undefined) {
    const value = excess(row, other)
    return { value, text: difference(value, bound.atMost) }
  }
  if (bound.partOf !== undefined) return { value: share(row, other), text: shareText(row, other) }
  const value = row[bound.column ?? 'cpu_us']
  const limit = bound.atMost ?? bound.atLeast
  return { value, text: `${figureBeside(limit, value)} ${unit(bound.column)}` }
}

/** The last word of a column's heading is its unit. */
function unit(column = 'cpu_us') {
  return COLUMNS.get(column)[0].split(' ').at(-1)
}

function worst({ everyRowOf, column, atMost }, results) {
  const { rows = [] } = results.find(({ suite }) => suite === everyRowOf) ?? {}
  if (rows.length === 0) return undefined
  const row = rows.toSorted((one, other) => other[column] - one[column])[0]
  const value = row[column]
  return { value, text: `${figureBeside(atMost, value)}x: \`${row.name}\`` }
}

function closest(suite, results) {
  const compared = pairs(results.filter((result) => result.suite === suite))
  if (compared.length === 0) return undefined
  const order = compared.toSorted((one, other) => other.share - one.share)
  const [{ group, ours, peer, share: much }] = order
  const others = order.filter((each) => each.share >= 1).length - 1
  const text = `${shareText(ours, peer)} of ${peer.name} (${group})`
  return { value: much, text: others > 0 ? `${text}, and ${others} more` : text }
}
