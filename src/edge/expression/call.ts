import { applying, mapping } from './apply.js'
import { comparison } from './comparison.js'
import type { Span } from './cursor.js'
import { parametersOf } from './functions/signature.js'
import type { Parameter, Run } from './functions/signature.js'
import { FUNCTIONS } from './functions/table.js'
import { PLAIN, readPlain, string } from './literal.js'
import { literalOf } from './node.js'
import type { Node } from './node.js'
import { readRange } from './members.js'
import { logical, PREFIX, truth } from './parse.js'
import { indexed } from './place.js'
import type { Reader } from './reader.js'
import { elementOf, textOf } from './value.js'
import type { Value } from './value.js'

/** A call, from behind its opening parenthesis to the last of its indexes. */
export function call(r: Reader, name: string, named: Span): Node {
  const names = r.scheme.functions ?? [...FUNCTIONS.keys()]
  const known = names.includes(name) ? FUNCTIONS.get(name) : undefined
  if (!known) r.unknown('function', names, named, name)
  r.use('functions', name)
  const [shape, anyRun, mode] = known ?? ['= -> ', () => undefined]
  const run = anyRun as Run
  const [parameters = '', result = ''] = shape.split(' -> ')
  const args = checked(r, named.start, parametersOf(parameters))
  const [first] = args
  if (mode === 'token') {
    const id = textOf(`${first?.value}`)
    r.useConfiguration(id, first ?? named)
    return indexed(r, 'token', result, named, [], () => (facts) => run(facts.token(id)))
  }
  const type = result === '=' ? (first?.type ?? '') : result
  return first?.each
    ? indexed(r, 'call', `Array<${type}>`, named, args, mapping(run, mode))
    : indexed(r, 'call', type, named, args, applying(run, mode))
}

/** Reads the arguments of a call and judges them. */
function checked(r: Reader, start: number, parameters: readonly Parameter[]): Node[] {
  const args = r.nested(start, () => readArguments(r))
  const { length } = parameters
  const least = parameters.filter(([, , times]) => !times).length
  const most = parameters.at(-1)?.[2] === '*' ? Infinity : length
  const count = args.length
  if (count < least || count > most) {
    const expected = least === most ? least : `${least} to ${most}`
    r.wrong('argument_count', `${expected} arguments`, r.from(start), `${count}`)
  }
  const typed: Node[] = []
  for (const [index, arg] of args.entries()) {
    const parameter = parameters[index] ?? (parameters.at(-1) as Parameter)
    typed.push(checkedOne(r, arg, parameter, typed[0]))
  }
  return typed
}

function readArguments(r: Reader): Node[] {
  const args: Node[] = []
  r.skip()
  if (r.eat(')')) return args
  do {
    args.push(argument(r))
    r.skip()
  } while (r.eat(','))
  if (!r.eat(')')) r.expected(', or )')
  return args
}

/** An argument; a literal without quotes has no type yet, and its text for a value. */
export function argument(r: Reader): Node {
  r.skip()
  if (r.sees(PREFIX)) return logical(r)
  const start = r.at
  const text = string(r)
  if (text !== undefined) return literalOf('Bytes', r.from(start), text)
  // What may only be a literal, when it begins an argument.
  const [plain] = r.sees(/[\d:-]|[a-fA-F][\da-fA-F]*[:-]/y) ? r.match(PLAIN) : []
  return plain ? literalOf('', r.from(start), plain) : comparison(r)
}

/** An argument against its parameter; `first` is the first argument. */
function checkedOne(
  r: Reader,
  arg: Node,
  [kind, types, , limit]: Parameter,
  first: Node | undefined,
): Node {
  const isLiteral = arg.value !== undefined
  if (kind === 'L' && !isLiteral) r.wrong('argument_kind', 'a literal', arg)
  if (kind === 'F' && (!arg.indexes || arg.grouped)) {
    r.wrong('argument_kind', 'a field or a call', arg)
  }
  const type = first?.type ?? ''
  const wanted = types.replace('=', type).replace('element', elementOf(type) ?? '')
  const typed = arg.grouped ? truth(r, arg) : typedAs(r, arg, wanted.split('|'))
  // An Array or Map without more is any of its kind.
  if (!new RegExp(`^(?:${wanted})(?:<|$)`).test(typed.type)) {
    r.wrong('argument_type', wanted.replaceAll('|', ' or '), arg, arg.type || undefined)
  }
  if (first && typed.each) r.fault('bad_map_each', '[*] may only be in the first argument', arg)
  if (limit && isLiteral && !keeps(typed.value, limit)) r.wrong('argument_value', limit, arg)
  return typed
}

/** A literal without quotes as the first of these types that it can be; others as they are. */
function typedAs(r: Reader, arg: Node, wanted: readonly string[]): Node {
  for (const type of arg.type ? [] : wanted) {
    const value = readPlain(r, `${arg.value}`, type, arg)
    if (value !== undefined) return literalOf(type, arg, value)
  }
  return arg
}

function keeps(given: Value | undefined, limit: string): boolean {
  const value = given as number | bigint
  const range = readRange(limit, 'Int')
  return range
    ? value >= range[0] && value <= range[1]
    : new RegExp(`^(?:${limit})$`, 's').test(`${value}`)
}
