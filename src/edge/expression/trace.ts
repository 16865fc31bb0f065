import { close } from './closure.js'
import type { Ask, Probe } from './closure.js'
import { formatIp } from './ip.js'
import type { Ip } from './ip.js'
import type { Facts, TraceStep } from './predicate.js'
import { partsOf } from './typed.js'
import type { Typed } from './typed.js'
import { textOf } from './value.js'
import type { Value } from './value.js'

interface WatchedFacts extends Facts {
  readonly seen: Map<Typed, Value | undefined>
}

const watch: Probe = (typed, ask) => (facts) => {
  const value = ask(facts)
  // Only traced facts reach these closures, see createTrace.
  ;(facts as WatchedFacts).seen.set(typed, value)
  return value
}

/** An evaluation that tells what every part of the expression came to. */
export function createTrace(root: Typed, source: string): (facts: Facts) => readonly TraceStep[] {
  let ask: Ask | undefined
  return (facts) => {
    ask ??= close(root, watch)
    const seen: WatchedFacts['seen'] = new Map()
    const watched: WatchedFacts = {
      seen,
      field: (name) => facts.field(name),
      token: (configuration) => facts.token(configuration),
    }
    ask(watched)
    return steps(root, 0)

    function steps(typed: Typed, depth: number): TraceStep[] {
      const { kind, start, end } = typed
      const skipped = !seen.has(typed)
      const text = source.slice(start, end)
      const value = printable(seen.get(typed))
      const step: TraceStep = { kind, start, end, text, depth, value, skipped }
      return [step, ...partsOf(typed).flatMap((part) => steps(part, depth + 1))]
    }
  }
}

function printable(value: Value | undefined): unknown {
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(printable)
  if ('version' in value) return formatIp(value as Ip)
  const entries = [...(value as ReadonlyMap<string, Value>)]
  return Object.fromEntries(entries.map(([key, item]) => [textOf(key), printable(item)]))
}
