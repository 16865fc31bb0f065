import { formatIp } from './ip.js'
import type { Ip } from './ip.js'
import { build } from './node.js'
import type { Ask, Node } from './node.js'
import type { Facts, TraceStep } from './predicate.js'
import { textOf } from './value.js'
import type { Table, Value } from './value.js'

/** An evaluation that tells what every part of the expression came to. */
export function createTrace(root: Node, source: string): (facts: Facts) => readonly TraceStep[] {
  return (facts) => {
    const seen = new Map<Node, Value | undefined>()
    const watch =
      (node: Node, ask: Ask): Ask =>
      (asked) => {
        const value = ask(asked)
        seen.set(node, value)
        return value
      }
    build(root, watch)(facts)
    return steps(root, 0)

    function steps(node: Node, depth: number): TraceStep[] {
      const { kind, start, end, parts } = node
      const text = source.slice(start, end)
      const value = printable(seen.get(node))
      const step: TraceStep = { kind, start, end, text, depth, value, skipped: !seen.has(node) }
      return [step, ...parts.flatMap((part) => steps(part, depth + 1))]
    }
  }
}

function printable(value: Value | undefined): unknown {
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(printable)
  if ('version' in value) return formatIp(value as Ip)
  const entries = [...(value as Table)]
  return Object.fromEntries(entries.map(([key, item]) => [textOf(key), printable(item)]))
}
