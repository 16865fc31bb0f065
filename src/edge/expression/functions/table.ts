import { formatIp, network } from '../ip.js'
import type { Ip } from '../ip.js'
import type { Value } from '../value.js'
import { lower } from '../wildcard.js'
import { decodeBase64 } from './base64.js'
import { lookupInteger, lookupString } from './lookup-json.js'
import { sha256 } from './sha256.js'
import type { Run, Signature } from './signature.js'
import { isTimedHmacValid } from './timed-hmac.js'
import { urlDecode } from './url-decode.js'

const SCALARS = ['Bytes', 'Int', 'Bool', 'Ip']
const KEY = 'Bytes|Int'
const MAX_SPLIT = 128

/** A function by what it takes and gives. The checker has seen that values are of these types. */
function row<Args extends readonly (Value | undefined)[]>(
  parameters: readonly string[],
  result: string,
  run: (...args: Args) => Value | undefined,
  more: {
    readonly total?: boolean
    readonly complaint?: (...literals: { [Arg in keyof Args]: Args[Arg] | undefined }) => unknown
  } = {},
): Signature {
  return { parameters, result, run: run as unknown as Run, ...more } as Signature
}
type List = readonly Value[]
type Table = ReadonlyMap<string, Value>

/** The functions of the language, but for `any` and `all`, which are of its grammar. */
export const FUNCTIONS: ReadonlyMap<string, Signature> = new Map([
  ['len', row(['Bytes|Array'], 'Int', (value: string | List) => value.length)],
  ['lower', row(['F Bytes'], 'Bytes', lower)],
  ['upper', row(['F Bytes'], 'Bytes', upper)],
  [
    'starts_with',
    row(['F Bytes', 'L Bytes'], 'Bool', (text: string, start: string) => text.startsWith(start)),
  ],
  [
    'ends_with',
    row(['F Bytes', 'L Bytes'], 'Bool', (text: string, end: string) => text.endsWith(end)),
  ],
  ['concat', row(['Bytes|Array', '=', '=*'], '=', concat, { total: true })],
  [
    'substring',
    row(
      ['F Bytes', 'Int', 'Int?'],
      'Bytes',
      (text: string, start: number | bigint, end?: number | bigint) =>
        text.slice(Number(start), end === undefined ? undefined : Number(end)),
    ),
  ],
  ['lookup_json_string', row(['F Bytes', KEY, `${KEY}*`], 'Bytes', lookupString)],
  ['lookup_json_integer', row(['F Bytes', KEY, `${KEY}*`], 'Int', lookupInteger)],
  [
    'url_decode',
    row(
      ['F Bytes', 'L Bytes?'],
      'Bytes',
      (text: string, options: string = '') =>
        urlDecode(text, options.includes('r'), options.includes('u')),
      {
        complaint: (_: string | undefined, options: string = '') =>
          /^[ru]*$/.test(options) || 'the options are r and u',
      },
    ),
  ],
  ['encode_base64', row(['F Bytes'], 'Bytes', (text: string) => btoa(text))],
  ['decode_base64', row(['F Bytes'], 'Bytes', decodeBase64)],
  ['has_key', row(['Map', 'Bytes'], 'Bool', (map: Table, key: string) => map.has(key))],
  [
    'has_value',
    row(
      [SCALARS.flatMap((type) => [`Map<${type}>`, `Array<${type}>`]).join('|'), 'element'],
      'Bool',
      hasValue,
    ),
  ],
  [
    'split',
    row(['Bytes', 'L Bytes', 'L Int'], 'Array<Bytes>', split, {
      complaint: (_, separator, limit = 0) =>
        separator === ''
          ? 'the separator may not be empty'
          : (limit >= 1 && limit <= MAX_SPLIT) || `the limit is from 1 to ${MAX_SPLIT}`,
    }),
  ],
  [
    'join',
    row(['Array<Bytes>', 'Bytes'], 'Bytes', (parts: List, separator: string) =>
      parts.join(separator),
    ),
  ],
  ['sha256', row(['Bytes'], 'Bytes', sha256)],
  [
    'to_string',
    row(['Int|Bool|Ip'], 'Bytes', (value: number | bigint | boolean | Ip) =>
      typeof value === 'object' ? formatIp(value) : `${value}`,
    ),
  ],
  [
    'cidr',
    row(
      ['F Ip', 'Int', 'Int?'],
      'Ip',
      (ip: Ip, v4: number, v6?: number) => masked(ip, ip.version === 4 ? v4 : v6),
      { complaint: (_, v4 = 1, v6 = 1) => bitsComplaint(v4, 32) ?? bitsComplaint(v6, 128) },
    ),
  ],
  [
    'cidr6',
    row(
      ['F Ip', 'Int'],
      'Ip',
      (ip: Ip, bits: number) => (ip.version === 4 ? ip : masked(ip, bits)),
      { complaint: (_, bits = 1) => bitsComplaint(bits, 128) },
    ),
  ],
  [
    'is_timed_hmac_valid_v0',
    row(
      ['L Bytes', 'Bytes', 'L Int', 'Int', 'L Int?', 'L Bytes?'],
      'Bool',
      (
        key: string,
        text: string,
        lifetime: number,
        now: number,
        separator: number = 0,
        flags: string = '',
      ) => isTimedHmacValid(key, text, Number(lifetime), Number(now), separator, flags === 's'),
      {
        complaint: (_key, _text, _lifetime, _now, separator = 0, flags = 's') =>
          separator < 0 ? 'the separator has no length' : flags === 's' || 'the only flag is s',
      },
    ),
  ],
  // The compiler asks the facts of a request for these two.
  ['is_jwt_valid', row(['L Bytes'], 'Bool', () => undefined)],
  ['is_jwt_present', row(['L Bytes'], 'Bool', () => undefined)],
])

/** ASCII letters as capitals; all other bytes as they are. */
function upper(bytes: string): string {
  return bytes.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

/** What is there of texts or arrays, one behind the other. */
function concat(...parts: (string | List | undefined)[]): Value | undefined {
  const present = parts.filter((part) => part !== undefined)
  const [first, ...others] = present
  return typeof first === 'string' ? present.join('') : first && first.concat(...others)
}

function hasValue(container: List | Table, sought: Value): boolean {
  const values = Array.isArray(container) ? (container as List) : [...(container as Table).values()]
  if (typeof sought !== 'object') return values.includes(sought)
  const { version, value } = sought as Ip
  return values.some((item) => (item as Ip).version === version && (item as Ip).value === value)
}

/** At most `limit` parts, the last of which keeps the rest. */
function split(text: string, separator: string, limit: number): List {
  const parts: string[] = []
  let from = 0
  while (parts.length < limit - 1) {
    const at = text.indexOf(separator, from)
    if (at < 0) break
    parts.push(text.slice(from, at))
    from = at + separator.length
  }
  return [...parts, text.slice(from)]
}

const bitsComplaint = (bits: number, most: number): string | undefined =>
  bits >= 1 && bits <= most ? undefined : `an address has from 1 to ${most} bits here`

/** The network of an address, missing when the number of its bits is none. */
function masked(ip: Ip, bits: number | undefined): Ip | undefined {
  const most = ip.version === 4 ? 32 : 128
  return bits !== undefined && bits >= 1 && bits <= most ? network(ip, Number(bits)) : undefined
}
