import { warn } from './context.js'
import type { Context } from './context.js'
import type { ExpressionErrorCode } from './error.js'
import { isOctal, parseInteger } from './integer.js'
import { parseIp } from './ip.js'
import type { Plain } from './syntax.js'
import type { Type } from './typed.js'
import type { Value } from './value.js'

interface Reader {
  readonly read: (text: string) => Value | undefined
  readonly code: ExpressionErrorCode
  readonly what: string
}

const BYTES = /^[\da-fA-F]{2}(?:[:.-][\da-fA-F]{2})+$/

/** How a literal without quotes is read, by the type that is wanted of it. */
const READERS: ReadonlyMap<Type, Reader> = new Map([
  ['Int', { read: parseInteger, code: 'bad_integer', what: 'a 64-bit integer' }],
  ['Ip', { read: parseIp, code: 'bad_ip', what: 'an IP address' }],
  ['Bytes', { read: parseBytes, code: 'bad_bytes', what: 'a quoted string or bytes like 6F:72' }],
])

function parseBytes(text: string): string | undefined {
  if (!BYTES.test(text)) return undefined
  return text.replace(/(..)[:.-]?/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

/** What readPlain would have wanted: the code and the words of an error. */
export const plainKind = (type: Type): Reader | undefined => READERS.get(type)

/** A literal without quotes as a value of a type, undefined when it is none. */
export function readPlain(node: Plain, type: Type, context: Context): Value | undefined {
  const value = READERS.get(type)?.read(node.text)
  if (type === 'Int' && value !== undefined) warnOfOctal(node, node.text, context)
  return value
}

/** Notes a number that begins with a zero and so is not the one it looks like. */
export function warnOfOctal(node: Plain, text: string, context: Context): void {
  if (!isOctal(text)) return
  const message = `${text} is octal for ${parseInteger(text)}`
  warn(context, 'octal_literal', message, node)
}
