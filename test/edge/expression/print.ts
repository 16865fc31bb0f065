import type { Argument, Index, Literal, Node, Place } from '../../../src/edge/expression/syntax.js'

/** Writes a tree so that reading it gives the same tree, whatever spelling it came from. */
export function print(node: Node): string {
  switch (node.kind) {
    case 'comparison':
      return node.operator && node.right
        ? `${place(node.left)} ${node.operator} ${literal(node.right)}`
        : place(node.left)
    case 'not':
      return `not ${simple(node.operand)}`
    case 'any':
    case 'all':
      return `${node.kind}(${argument(node.operand)})`
    default:
      return node.operands.map(simple).join(` ${node.kind} `)
  }
}

const simple = (node: Node): string => ('operands' in node ? `(${print(node)})` : print(node))

const place = (node: Place): string =>
  node.name +
  (node.kind === 'call' ? `(${node.args.map(argument).join(', ')})` : '') +
  node.indexes.map(index).join('')

function index({ at }: Index): string {
  return `[${at === undefined ? '*' : typeof at === 'string' ? quote(at) : at}]`
}

function argument(node: Argument): string {
  if (node.kind === 'text') return quote(node.value)
  if (node.kind === 'plain') return node.text
  if (node.kind === 'field' || node.kind === 'call') return place(node)
  const text = print(node)
  // A bare place in parentheses is a logical expression, one without is a value.
  return node.kind === 'comparison' && !node.operator
    ? `(${text})`
    : 'operands' in node
      ? `(${text})`
      : text
}

function literal(node: Literal): string {
  switch (node.kind) {
    case 'text':
      return quote(node.value)
    case 'plain':
      return node.text
    case 'list':
      return `$${node.name}`
    case 'set':
      return `{${node.items.map(literal).join(' ')}}`
    case 'pattern':
      return `r###"${node.text}"###`
  }
}

const quote = (bytes: string): string =>
  `"${bytes.replace(/[^ !#-[\]-~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`
