import type { Span } from './cursor.js'
import type { ExpressionErrorCode } from './error.js'
import { isOctal, parseInteger } from './integer.js'
import { parseIp } from './ip.js'
import type { Reader } from './reader.js'
import { bytesOf } from './value.js'
import type { Type, Value } from './value.js'

/** A number, an address, a range or bytes. */
export const PLAIN: RegExp = /[\w:./-]+/y

/** By the type that is wanted: how it is read without quotes, and an error's words and code. */
const READINGS: ReadonlyMap<
  Type,
  readonly [(text: string) => Value | undefined, string, ExpressionErrorCode]
> = new Map([
  ['Int', [parseInteger, 'a 64-bit integer', 'bad_integer']],
  ['Ip', [parseIp, 'an IP address', 'bad_ip']],
  ['Bytes', [parseBytes, 'a quoted string or bytes like 6F:72', 'bad_bytes']],
])

function parseBytes(text: string): string | undefined {
  if (!/^[\da-fA-F]{2}(?:[:.-][\da-fA-F]{2})+$/.test(text)) return undefined
  return text.replace(/(..)[:.-]?/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

/** What a literal without quotes is as one of a type, if it is one. */
export function readPlain<Read = Value>(
  r: Reader,
  text: string,
  type: Type,
  span: Span,
  read?: (text: string) => Read | undefined,
): Read | Value | undefined {
  for (const end of type === 'Int' ? text.split('..') : []) {
    if (isOctal(end)) r.warn('octal_literal', `${end} is octal for ${parseInteger(end)}`, span)
  }
  return (read ?? READINGS.get(type)?.[0])?.(text)
}

/** A literal of a type, which `read` may know more of without quotes than there are values. */
export function literal<Read = Value>(
  r: Reader,
  type: Type,
  what = 'a literal',
  read?: (text: string) => Read | undefined,
): Read | Value {
  const start = r.at
  const text = string(r)
  if (text !== undefined && type === 'Bytes') return text
  const [plain] = text === undefined ? r.match(PLAIN) : ['']
  if (plain === undefined) return r.expected(what)
  const span = r.from(start)
  const [, expected = type, code = 'type_mismatch'] = READINGS.get(type) ?? []
  return readPlain(r, plain, type, span, read) ?? r.wrong(code, expected, span)
}

/** A quoted or raw string, if one begins here. */
export function string(r: Reader): string | undefined {
  if (r.sees(/"/y)) return quoted(r)
  const text = raw(r)
  return text === undefined ? undefined : bytesOf(text)
}

export function quoted(r: Reader): string {
  const start = r.at++
  for (let value = ''; ;) {
    value += bytesOf(r.match(/[^"\\]*/y)[0] ?? '')
    if (r.eat('"')) return value
    const [escape, itself, hex, octal = ''] = r.match(
      /\\(?:(["\\])|x([0-9a-fA-F]{2})|([0-3][0-7]{2}))/y,
    )
    if (!escape) {
      if (r.at === r.text.length) unclosed(r, start)
      const span = { start: r.at, end: r.at + 2 }
      r.fail('bad_escape', 'bad escape, write \\" \\\\ \\xHH or \\OOO', span)
    }
    value += itself ?? String.fromCharCode(hex ? parseInt(hex, 16) : parseInt(octal, 8))
  }
}

/** The text of a raw string, if one begins here. */
export function raw(r: Reader): string | undefined {
  const most = 255
  const start = r.at
  const [opening, hashes = '', quote] = r.match(/r(?=[#"])(#*)("?)/y)
  if (!opening) return
  if (!quote || hashes.length > most) {
    const message = `a raw string begins with r, up to ${most} # and "`
    r.fail('bad_raw_string', message, r.from(start))
  }
  const first = r.at
  const last = r.text.indexOf(`"${hashes}`, first)
  if (last < 0) unclosed(r, start)
  r.at = last + 1 + hashes.length
  return r.text.slice(first, last)
}

/** Complains of a string that ends with the text. */
export function unclosed(r: Reader, start: number): never {
  return r.fail('bad_string', 'missing closing quote', { start, end: r.text.length })
}
