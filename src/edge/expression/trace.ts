import { formatIp } from './ip.js'
import type { Ip } from './ip.js'
import { build } from './node.js'
import type { Ask, Node } from './node.js'
import type { Condition, Facts } from './predicate.js'
import { textOf } from './value.js'
import type { Table, Value } from './value.js'

/** One sub-expression and what it came to; parents stand before their parts. */
export interface TraceStep {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly text: string
  readonly depth: number
  /** Text, number, boolean, array or plain object; undefined when missing or skipped. */
  readonly value: unknown
  /** True when the answer was known before this part was asked. */
  readonly skipped: boolean
}

/**
 * Answers as the expression does, and tells what every part came to; the first step is the whole. A
 * tool for people: whoever only decides need not carry it.
 */
export function trace({ root, source }: Condition, facts: Facts): readonly TraceStep[] {
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

function printable(value: Value | undefined): unknown {
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(printable)
  if ('version' in value) return formatIp(value as Ip)
  const entries = [...(value as Table)]
  return Object.fromEntries(entries.map(([key, item]) => [textOf(key), printable(item)]))
}
