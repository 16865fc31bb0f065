import { compile, trace } from '../../../src/edge/expression/index.js'
import type { TraceStep } from '../../../src/edge/expression/index.js'
import { scheme } from './world.js'

/** An expression as a tree, without its offsets: what is no logic is its own text. */
export interface Tree {
  readonly kind: string
  readonly text?: string
  readonly parts: readonly Tree[]
}

const LOGIC: ReadonlySet<string> = new Set(['or', 'xor', 'and', 'not', 'any', 'all'])

/** The tree that a text is read as. */
export function shape(source: string): Tree {
  const steps = trace(compile(source, scheme), { field: () => undefined, token: () => 'absent' })
  return tree(steps, 0)
}

function tree(steps: readonly TraceStep[], at: number): Tree {
  const { kind, text, depth } = steps[at] as TraceStep
  if (!LOGIC.has(kind)) return { kind, text, parts: [] }
  const parts: Tree[] = []
  for (let next = at + 1; (steps[next]?.depth ?? 0) > depth; next++) {
    if (steps[next]?.depth === depth + 1) parts.push(tree(steps, next))
  }
  return { kind, parts }
}

/** Writes a tree so that reading it gives the same tree, whatever spelling it came from. */
export function print({ kind, text, parts }: Tree): string {
  if (text !== undefined) return text
  const texts = parts.map(simple)
  switch (kind) {
    case 'not':
      return `not ${texts[0]}`
    case 'any':
    case 'all':
      return `${kind}(${texts[0]})`
    default:
      return texts.join(` ${kind} `)
  }
}

const simple = (part: Tree): string =>
  ['or', 'xor', 'and'].includes(part.kind) ? `(${print(part)})` : print(part)
