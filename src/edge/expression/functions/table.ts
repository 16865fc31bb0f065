import { formatIp, widthOf } from '../ip.js'
import type { Ip } from '../ip.js'
import type { TokenState } from '../predicate.js'
import { elements } from '../value.js'
import type { List, Table, Value } from '../value.js'
import { lower } from '../wildcard.js'
import { decodeBase64 } from './base64.js'
import { lookupInteger, lookupString } from './lookup-json.js'
import { sha256 } from './sha256.js'
import type { Signature } from './signature.js'
import { isTimedHmacValid } from './timed-hmac.js'
import { urlDecode } from './url-decode.js'

const SCALARS = ['Bytes', 'Int', 'Bool', 'Ip']
  .map((type) => `Map<${type}>|Array<${type}>`)
  .join('|')

/** The functions of the language, but for `any` and `all`, which are of its grammar. */
export const FUNCTIONS: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ['len', ['Bytes|Array -> Int', (value: string | List) => value.length]],
  ['lower', ['F Bytes -> Bytes', lower]],
  ['upper', ['F Bytes -> Bytes', upper]],
  [
    'starts_with',
    ['F Bytes, L Bytes -> Bool', (text: string, sought: string) => text.startsWith(sought)],
  ],
  [
    'ends_with',
    ['F Bytes, L Bytes -> Bool', (text: string, sought: string) => text.endsWith(sought)],
  ],
  ['concat', ['Bytes|Array, =, =* -> =', concat, 'total']],
  ['substring', ['F Bytes, Int, Int? -> Bytes', substring]],
  ['lookup_json_string', ['F Bytes, Bytes|Int, Bytes|Int* -> Bytes', lookupString]],
  ['lookup_json_integer', ['F Bytes, Bytes|Int, Bytes|Int* -> Int', lookupInteger]],
  ['url_decode', ['F Bytes, L Bytes? [ru]* -> Bytes', urlDecode]],
  ['encode_base64', ['F Bytes -> Bytes', (bytes: string) => btoa(bytes)]],
  ['decode_base64', ['F Bytes -> Bytes', decodeBase64]],
  ['has_key', ['Map, Bytes -> Bool', (map: Table, key: string) => map.has(key)]],
  ['has_value', [`${SCALARS}, element -> Bool`, hasValue]],
  ['split', ['Bytes, L Bytes .+, L Int 1..128 -> Array<Bytes>', split]],
  [
    'join',
    ['Array<Bytes>, Bytes -> Bytes', (parts: List, separator: string) => parts.join(separator)],
  ],
  ['sha256', ['Bytes -> Bytes', sha256]],
  [
    'to_string',
    [
      'Int|Bool|Ip -> Bytes',
      (value: number | bigint | boolean | Ip) =>
        typeof value === 'object' ? formatIp(value) : `${value}`,
    ],
  ],
  [
    'cidr',
    [
      'F Ip, Int 1..32, Int? 1..128 -> Ip',
      (ip: Ip, v4: number, v6?: number) => masked(ip, ip.version === 4 ? v4 : v6),
    ],
  ],
  [
    'cidr6',
    [
      'F Ip, Int 1..128 -> Ip',
      (ip: Ip, bits: number) => (ip.version === 4 ? ip : masked(ip, bits)),
    ],
  ],
  [
    'is_timed_hmac_valid_v0',
    ['L Bytes, Bytes, L Int, Int, L Int? 0..4294967295, L Bytes? s -> Bool', isTimedHmacValid],
  ],
  ['is_jwt_valid', ['L Bytes -> Bool', (state: TokenState) => state === 'valid', 'token']],
  ['is_jwt_present', ['L Bytes -> Bool', (state: TokenState) => state !== 'absent', 'token']],
])

/** ASCII letters as capitals; all other bytes as they are. */
function upper(bytes: string): string {
  return bytes.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

/** What is there of texts or arrays, one behind the other. */
function concat(...parts: (string | List | undefined)[]): Value | undefined {
  const present = parts.filter((part) => part !== undefined)
  const [first] = present
  return typeof first === 'string' ? present.join('') : first && present.flat()
}

/** Bytes from one offset to another, which count from the end when negative. */
function substring(bytes: string, start: number | bigint, end?: number | bigint): string {
  return bytes.slice(Number(start), end === undefined ? end : Number(end))
}

function hasValue(container: List | Table, sought: Value): boolean {
  const values = elements(container)
  if (typeof sought !== 'object') return values.includes(sought)
  const { version, value } = sought as Ip
  return values.some((item) => (item as Ip).version === version && (item as Ip).value === value)
}

/** At most `limit` parts, the last of which keeps the rest. */
function split(text: string, separator: string, limit: number): List {
  const parts = text.split(separator, limit - 1)
  const read = parts.reduce((sum, part) => sum + part.length + separator.length, 0)
  return read > text.length ? parts : [...parts, text.slice(read)]
}

/** The network of an address, missing when the number of its bits is none. */
function masked(ip: Ip, bits = 0): Ip | undefined {
  if (bits < 1 || bits > widthOf(ip)) return undefined
  const host = BigInt(widthOf(ip) - Number(bits))
  return { version: ip.version, value: (ip.value >> host) << host }
}
