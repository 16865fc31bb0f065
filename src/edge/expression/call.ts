import { fail } from './context.js'
import type { Context } from './context.js'
import type { Signature } from './functions/signature.js'
import { FUNCTIONS } from './functions/table.js'
import { readPlain } from './literal.js'
import { unknown, useConfiguration } from './names.js'
import type { Argument, Call } from './syntax.js'
import { elementOf } from './typed.js'
import type { Type, Typed, TypedPlace } from './typed.js'

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
    const configuration = String(literals[0])
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

function signatureOf({ name, start, nameEnd: end }: Call, context: Context): Signature {
  const allowed = context.world.functions
  const signature = allowed && !allowed.has(name) ? undefined : FUNCTIONS.get(name)
  const names = allowed ?? FUNCTIONS.keys()
  return signature ?? unknown('unknown_function', name, names, { start, end }, context)
}

function checkArguments(
  node: Call,
  { parameters }: Signature,
  context: Context,
  checkValue: CheckValue,
): Typed[] {
  checkCount(node, parameters, context)
  const args: Typed[] = []
  for (const [index, arg] of node.args.entries()) {
    const parameter = parameters[Math.min(index, parameters.length - 1)] ?? ''
    args.push(checkOne(arg, parameter, args[0]?.type ?? '', context, checkValue))
  }
  const stray = args.slice(1).find(isEach)
  if (stray) fail(context, 'bad_map_each', '[*] may only be in the first argument', stray)
  return args
}

function checkCount(node: Call, parameters: readonly string[], context: Context): void {
  const least = parameters.filter((parameter) => !/[?*]$/.test(parameter)).length
  const most = parameters.at(-1)?.endsWith('*') ? Infinity : parameters.length
  const count = node.args.length
  if (count >= least && count <= most) return
  const expected =
    least === most ? `${least}` : most < Infinity ? `${least} to ${most}` : `${least} or more`
  const message = `${node.name} takes ${expected} arguments, not ${count}`
  fail(context, 'argument_count', message, node, { expected, found: `${count}` })
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
  const wanted =
    types === '=' ? [first] : types === 'element' ? [elementOf(first) ?? ''] : types.split('|')
  if (kind === 'L ' && node.kind !== 'text' && node.kind !== 'plain') {
    fail(context, 'argument_kind', 'expected a literal', node)
  }
  if (kind === 'F ' && node.kind !== 'field' && node.kind !== 'call') {
    fail(context, 'argument_kind', 'expected a field or a call', node)
  }
  const typed = node.kind === 'plain' ? checkPlain() : checkValue(node, context)
  if (typed && wanted.some((type) => typed.type === type || typed.type.startsWith(`${type}<`))) {
    return typed
  }
  const expected = wanted.join(' or ')
  const found = typed?.type ?? context.source.slice(node.start, node.end)
  const message = `expected ${expected}, found ${found}`
  return fail(context, 'argument_type', message, node, { expected, found })

  function checkPlain(): Typed | undefined {
    if (node.kind !== 'plain') return
    for (const type of wanted) {
      const value = readPlain(node, type, context)
      if (value !== undefined) return { ...node, kind: 'literal', type, value }
    }
    return
  }
}
