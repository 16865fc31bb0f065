import { fail, mismatch } from './context.js'
import type { Context } from './context.js'
import type { Signature } from './functions/signature.js'
import { FUNCTIONS } from './functions/table.js'
import { readPlain } from './literal.js'
import { nameOf, unknown, useConfiguration } from './names.js'
import type { Argument, Call, Plain } from './syntax.js'
import { elementOf } from './typed.js'
import type { Type, Typed, TypedPlace } from './typed.js'
import { textOf } from './value.js'

/** Judges an argument that is no bare literal. */
export type CheckValue = (node: Argument, context: Context) => Typed

/** A call with its arguments, before its indexes. */
export function checkCall(node: Call, context: Context, checkValue: CheckValue): TypedPlace {
  const { name, start, end } = node
  const signature = signatureOf(node, context)
  context.functions.add(name)
  const args = checkArguments(node, signature, context, checkValue)
  const literals = args.map((arg) => (arg.kind === 'literal' ? arg.value : undefined))
  const complaint = signature.complaint?.(...literals)
  if (typeof complaint === 'string') {
    fail(context, 'argument_value', `${name}: ${complaint}`, node)
  }
  const shape = { path: [], each: false, start, end }
  if (name === 'is_jwt_valid' || name === 'is_jwt_present') {
    const configuration = textOf(String(literals[0]))
    useConfiguration(configuration, args[0] ?? node, context)
    return { kind: 'token', type: 'Bool', configuration, valid: name === 'is_jwt_valid', ...shape }
  }
  const [first] = args
  const result = signature.result === '=' ? (first?.type ?? '') : signature.result
  const type = first && isEach(first) ? `Array<${result}>` : result
  return { kind: 'call', name, type, args, run: signature.run, total: !!signature.total, ...shape }
}

/** Whether a value is the array that `[*]` makes. */
export const isEach = (typed: Typed): boolean => 'each' in typed && typed.each

function signatureOf(node: Call, context: Context): Signature {
  const names = context.world.functions ?? FUNCTIONS
  const signature = names.has(node.name) ? FUNCTIONS.get(node.name) : undefined
  return signature ?? unknown('unknown_function', node.name, names.keys(), nameOf(node), context)
}

function checkArguments(
  node: Call,
  { parameters }: Signature,
  context: Context,
  checkValue: CheckValue,
): Typed[] {
  const least = parameters.filter((parameter) => !/[?*]$/.test(parameter)).length
  const most = parameters.at(-1)?.endsWith('*') ? Infinity : parameters.length
  const count = node.args.length
  if (count < least || count > most) {
    const expected = least === most ? `${least}` : `${least} to ${most}`
    mismatch('argument_count', `${expected} arguments`, node, context, `${count}`)
  }
  const args: Typed[] = []
  for (const [index, arg] of node.args.entries()) {
    const parameter = parameters[Math.min(index, parameters.length - 1)] ?? ''
    const typed = checkOne(arg, parameter, args[0]?.type ?? '', context, checkValue)
    if (index > 0 && isEach(typed)) {
      fail(context, 'bad_map_each', '[*] may only be in the first argument', typed)
    }
    args.push(typed)
  }
  return args
}

/** One argument against one parameter; `first` is the type of the first argument. */
function checkOne(
  node: Argument,
  parameter: string,
  first: Type,
  context: Context,
  checkValue: CheckValue,
): Typed {
  const [, kind, types = ''] = /^([FL] )?([^?*]*)/.exec(parameter) ?? []
  const { kind: given } = node
  const isLiteral = given === 'text' || given === 'plain'
  const isPlace = given === 'field' || given === 'call'
  if (kind && !(kind === 'L ' ? isLiteral : isPlace)) {
    mismatch('argument_kind', kind === 'L ' ? 'a literal' : 'a field or a call', node, context)
  }
  const wanted = types
    .replace('=', first)
    .replace('element', elementOf(first) ?? '')
    .split('|')
  const typed = given === 'plain' ? checkPlain(node, wanted, context) : checkValue(node, context)
  if (typed && wanted.some((type) => typed.type === type || typed.type.startsWith(`${type}<`))) {
    return typed
  }
  return mismatch('argument_type', wanted.join(' or '), node, context, typed?.type)
}

function checkPlain(node: Plain, wanted: readonly Type[], context: Context): Typed | undefined {
  for (const type of wanted) {
    const value = readPlain(node, type, context)
    if (value !== undefined) return { ...node, kind: 'literal', type, value }
  }
  return undefined
}
