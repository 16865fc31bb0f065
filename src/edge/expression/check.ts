import { checkCall } from './call.js'
import { fail, mismatch, warn } from './context.js'
import type { Context } from './context.js'
import { nameOf, unknown, useConfiguration } from './names.js'
import { checkOperand } from './operand.js'
import type { Argument, Comparison, Field, Index, Logical, Node, Place } from './syntax.js'
import { elementOf, partsOf } from './typed.js'
import type { Type, Typed, TypedPlace } from './typed.js'
import type { Run } from './functions/signature.js'
import { textOf } from './value.js'
import type { Value } from './value.js'

const HEADERS = /^(?:raw\.)?http\.re(?:quest|sponse)\.headers$/
const CLAIMS = /^http\.request\.jwt\.claims(?:\.|$)/

/** Judges a whole expression, which must be a Bool. */
export function check(node: Node, context: Context): Typed {
  return expectType('Bool', checkNode(node, context), context)
}

function expectType(expected: Type, typed: Typed, context: Context): Typed {
  const { type } = typed
  if (type === expected) return typed
  const hint = type === 'Array<Bool>' ? `${type}, which takes any(…) or all(…)` : type
  return mismatch('type_mismatch', expected, typed, context, hint)
}

function checkNode(node: Node, context: Context): Typed {
  switch (node.kind) {
    case 'comparison':
      return checkComparison(node, context)
    case 'not': {
      const operand = checkNode(node.operand, context)
      return { ...node, type: operand.type, operand }
    }
    case 'any':
    case 'all': {
      const operand = expectType('Array<Bool>', checkArgument(node.operand, context), context)
      if (node.kind === 'all') warnOfNothing(operand, context)
      return { ...node, type: 'Bool', operand }
    }
    default:
      return checkLogical(node, context)
  }
}

function checkLogical(node: Logical, context: Context): Typed {
  const operands = node.operands.map((operand) => checkNode(operand, context))
  const type = operands[0]?.type ?? 'Bool'
  for (const operand of operands) expectType(type, operand, context)
  return { ...node, type, operands }
}

function checkComparison(node: Comparison, context: Context): Typed {
  const { left, operator, right, start, end } = node
  if (!operator || !right) return checkBare(left, context)
  const place = checkPlace(left, context)
  const test = checkOperand(place, operator, right, context)
  const missing = operator === '!=' && context.world.nilNotEqual
  const type = place.each ? 'Array<Bool>' : 'Bool'
  return { kind: 'comparison', type, left: place, test, missing, start, end }
}

/** A place without an operator: a Bool, or an array or map of them. */
function checkBare(left: Place, context: Context): Typed {
  if (isConstant(left, context)) {
    const { name, start, end } = left
    return { kind: 'literal', type: 'Bool', value: name === 'true', start, end }
  }
  const place = checkPlace(left, context)
  if (place.each) fail(context, 'bad_map_each', '[*] needs a comparison behind it', place)
  if (place.type === 'Map<Bool>') {
    const { start, end } = place
    const rest = { path: [], each: false, total: false, args: [place], start, end }
    return { kind: 'call', name: 'values', type: 'Array<Bool>', run: valuesOf, ...rest }
  }
  if (place.type === 'Bool' || place.type === 'Array<Bool>') return place
  return mismatch('type_mismatch', 'a comparison', place, context, place.type)
}

/** The elements of a map, whose order is its own. */
const valuesOf: Run = (map) => [...(map as ReadonlyMap<string, Value>).values()]

/** `true` and `false`, unless the scheme has fields of that name. */
const isConstant = (left: Place, { world }: Context): boolean =>
  left.kind === 'field' &&
  left.indexes.length === 0 &&
  (left.name === 'true' || left.name === 'false') &&
  !world.fields.has(left.name)

/** The operand of `any` and `all`. */
function checkArgument(node: Argument, context: Context): Typed {
  if (node.kind === 'field' || node.kind === 'call') return checkBare(node, context)
  if (node.kind === 'text') return { ...node, kind: 'literal', type: 'Bytes' }
  if (node.kind !== 'plain') return checkNode(node, context)
  return mismatch('argument_type', 'Array<Bool>', node, context)
}

/** The argument of a call, where a place may be of any type. */
function checkValue(node: Argument, context: Context): Typed {
  const place = node.kind === 'call' || (node.kind === 'field' && !isConstant(node, context))
  return place ? checkPlace(node, context) : checkArgument(node, context)
}

/** A field or call with its indexes. */
function checkPlace(node: Place, context: Context): TypedPlace {
  if (node.kind === 'call') {
    const call = checkCall(node, context, checkValue)
    return { ...call, ...checkIndexes(node.indexes, call.type, context), end: node.end }
  }
  const { name, start, end } = node
  const { fields } = context.world
  const type = fields.get(name)
  if (!type) return unknown('unknown_field', name, fields.keys(), nameOf(node), context)
  context.fields.add(name)
  noteKey(node, context)
  return { kind: 'field', name, start, end, ...checkIndexes(node.indexes, type, context) }
}

/** What the first index of some fields says: a configuration, or a header that never is. */
function noteKey({ name, indexes }: Field, context: Context): void {
  const [first] = indexes
  if (CLAIMS.test(name)) {
    if (typeof first?.at === 'string') useConfiguration(textOf(first.at), first, context)
    else context.everyConfiguration = true
  }
  if (first && HEADERS.test(name) && /[A-Z]/.test(String(first.at ?? ''))) {
    const message = `header names are lower-case here, ${first.at} is always missing`
    warn(context, 'upper_case_header', message, first)
  }
}

function checkIndexes(
  indexes: readonly Index[],
  base: Type,
  context: Context,
): Pick<TypedPlace, 'type' | 'each' | 'path'> {
  let type = base
  for (const index of indexes) {
    const element = elementOf(type) ?? fail(context, 'bad_index', `${type} has no elements`, index)
    const wanted = type.startsWith('Map') ? 'string' : 'number'
    if (index.at !== undefined && typeof index.at !== wanted) {
      fail(context, 'bad_index', `${type} takes a ${wanted} in brackets`, index)
    }
    type = element
  }
  const path = indexes.map(({ at }) => at)
  return { type, path, each: path.includes(undefined) }
}

/** `all(m["k"][*] …)` holds over a key that is not there, which is rarely meant. */
function warnOfNothing(typed: Typed, context: Context): void {
  if (typed.kind === 'field' && typed.each && typeof typed.path[0] === 'string') {
    const message = `all(…) holds when ${typed.name} has no ${typed.path[0]}; ask has_key(…) too`
    warn(context, 'all_over_optional', message, typed)
  }
  for (const part of partsOf(typed)) warnOfNothing(part, context)
}
