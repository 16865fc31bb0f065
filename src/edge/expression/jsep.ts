import jsep from 'jsep'
import type { Logical, Node } from './syntax.js'

/** The part of jsep's parser that is used: its cursor and its climbing over binary operators. */
interface Skeleton {
  readonly expr: string
  index: number
  gobbleSpaces(): void
  gobbleBinaryExpression(): Tree
}

interface SkeletonClass {
  new (source: string): Skeleton
  removeAllBinaryOps(): void
  removeAllUnaryOps(): void
  removeAllLiterals(): void
  addBinaryOp(name: string, precedence: number): void
}

interface Binary {
  readonly type: string
  readonly operator: string
  readonly left: Tree
  readonly right: Tree
}

type Tree = Binary | Node

const LOGIC: ReadonlyMap<string, Logical['kind']> = new Map([
  ['or', 'or'],
  ['||', 'or'],
  ['xor', 'xor'],
  ['^^', 'xor'],
  ['and', 'and'],
  ['&&', 'and'],
])
const PRECEDENCE = ['or', 'xor', 'and']

// The typings leave the class out, and name functions that the class has as static ones.
const Base: SkeletonClass = (jsep as unknown as { Jsep: SkeletonClass }).Jsep
Base.removeAllBinaryOps()
Base.removeAllUnaryOps()
Base.removeAllLiterals()
for (const [spelling, kind] of LOGIC) Base.addBinaryOp(spelling, PRECEDENCE.indexOf(kind) + 1)

/**
 * Precedence climbing over `or`, `xor` and `and`, which is what jsep is kept for. What stands
 * between them is read by the subclass, so that jsep's own tokens never enter a tree.
 */
export abstract class PrecedenceParser extends Base {
  abstract gobbleToken(): Node

  /** Reads operands and the operators between them. */
  logical(): Node {
    // Not gobbleExpression, whose hooks know the ternary operator.
    return fold(this.gobbleBinaryExpression())
  }
}

/** jsep's pairs as runs of one operator. Any other node of jsep is refused. */
function fold(tree: Tree): Node {
  if ('kind' in tree) return tree
  const kind = tree.type === 'BinaryExpression' ? LOGIC.get(tree.operator) : undefined
  if (!kind) throw new TypeError(`${tree.type} is no node of this language`)
  const operands: Node[] = []
  let left: Tree = tree
  for (; !('kind' in left) && LOGIC.get(left.operator) === kind; left = left.left) {
    operands.push(fold(left.right))
  }
  const first = fold(left)
  const end = (operands[0] as Node).end
  operands.push(first)
  return { kind, operands: operands.toReversed(), start: first.start, end }
}
