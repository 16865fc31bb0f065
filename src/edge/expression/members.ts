import { parseInteger } from './integer.js'
import { parseIp, widthOf } from './ip.js'
import type { Ip } from './ip.js'
import type { Type, Value } from './value.js'

type Int = number | bigint

/**
 * All from one Int or address to another, with the family of addresses. One as it is written may
 * end before it begins.
 */
export type Range = readonly [low: Int, high: Int, version?: 4 | 6]

/** An item of a set. */
export type Member = string | Range

/** Reads `a`, `a..b` or, for addresses, a CIDR; what is none of them is undefined. */
export function readRange(text: string, type: Type): Range | undefined {
  const [address = '', bits] = type === 'Ip' ? text.split(/\/(?=(?:0|[1-9]\d{0,2})$)/) : [text]
  if (bits) return cidr(parseIp(address), Number(bits))
  const [first = '', last = first, ...more] = address.split('..')
  const read = type === 'Int' ? parseInteger : parseIp
  const low = read(first)
  const high = read(last)
  if (low === undefined || high === undefined || more.length > 0) return undefined
  if (typeof low !== 'object' || typeof high !== 'object') return [low as Int, high as Int]
  const { version, value } = low
  return [value, version === high.version ? high.value : -1n, version]
}

function cidr(ip: Ip | undefined, bits: number): Range | undefined {
  if (!ip || bits > widthOf(ip)) return undefined
  const { version, value } = ip
  const host = (1n << BigInt(widthOf(ip) - bits)) - 1n
  return [value, value & host ? -1n : value | host, version]
}

/** Whether a value of a type is among the items. */
export function membership(type: Type, members: readonly Member[]): (value: Value) => boolean {
  const strings = new Set<unknown>(members)
  if (type === 'Bytes') return (value) => strings.has(value)
  const ranges = members as readonly Range[]
  if (type === 'Int') return search(ranges) as (value: Value) => boolean
  const [v4, v6] = [4, 6].map((family) =>
    search(ranges.filter(([, , version]) => version === family)),
  )
  return (value) => {
    const ip = value as Ip
    return (ip.version === 4 ? v4! : v6!)(ip.value)
  }
}

/** Whether a number is in one of the ranges, found by halving. */
function search(ranges: readonly Range[]): (value: Int) => boolean {
  const sorted = ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  let most: Int = -Infinity
  // How far each range and those that begin before it reach.
  const reach = sorted.map(([, high]) => (most = high > most ? high : most))
  return (value) => {
    let from = 0
    let to = sorted.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (value < (sorted[middle] as Range)[0]) to = middle
      else from = middle + 1
    }
    return value <= (reach[from - 1] as Int)
  }
}
