import type { Test } from './compare.js'
import { parseInteger } from './integer.js'
import { network, parseIp } from './ip.js'
import type { Ip } from './ip.js'
import type { Type } from './typed.js'
import type { Value } from './value.js'

/** An item of a set: a string, or all from one Int or address to another. */
export type Member = string | Range

export interface Range {
  /** The family of addresses; Ints have none. */
  readonly version?: 4 | 6
  readonly low: number | bigint
  readonly high: number | bigint
}

/** Reads `a`, `a..b` or, for addresses, a CIDR; what is none of them is undefined. */
export function readRange(text: string, type: Type): Range | 'bad_range' | undefined {
  if (type === 'Ip' && /^[^/]*\/(?:0|[1-9]\d{0,2})$/.test(text)) return cidr(text)
  const [first = '', last = first, ...more] = text.split('..')
  const read = type === 'Int' ? parseInteger : parseIp
  const [low, high] = [read(first), read(last)]
  if (low === undefined || high === undefined || more.length > 0) return undefined
  if (typeof low !== 'object' || typeof high !== 'object') {
    return low > high ? 'bad_range' : { low: low as number, high: high as number }
  }
  const { version } = low
  if (version !== high.version || low.value > high.value) return 'bad_range'
  return { version, low: low.value, high: high.value }
}

function cidr(text: string): Range | 'bad_range' | undefined {
  const [address = '', bits] = text.split('/')
  const ip = parseIp(address)
  const host = (ip?.version === 4 ? 32 : 128) - Number(bits)
  if (!ip || host < 0) return undefined
  const { version, value: low } = ip
  const high = low | ((1n << BigInt(host)) - 1n)
  return network(ip, Number(bits)).value === low ? { version, low, high } : 'bad_range'
}

/** Whether a value is among the items. */
export function membership(members: readonly Member[]): Test {
  if (members.every((member) => typeof member === 'string')) {
    const strings = new Set<Value>(members)
    return (value) => strings.has(value)
  }
  const ranges = members.filter((member) => typeof member !== 'string')
  const ints = among(ranges.filter(({ version }) => !version))
  const v4 = among(ranges.filter(({ version }) => version === 4))
  const v6 = among(ranges.filter(({ version }) => version === 6))
  return (value) => {
    if (typeof value !== 'object') return ints(value as number)
    const ip = value as Ip
    return ip.version === 4 ? v4(ip.value) : v6(ip.value)
  }
}

/** Whether a number is in one of the ranges, found by halving. */
function among(ranges: readonly Range[]): (value: number | bigint) => boolean {
  const sorted = ranges.toSorted((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0))
  const disjoint: Range[] = []
  for (const range of sorted) {
    const last = disjoint.at(-1)
    if (!last || range.low > last.high) disjoint.push(range)
    else if (range.high > last.high) disjoint[disjoint.length - 1] = { ...last, high: range.high }
  }
  return (value) => {
    let from = 0
    let to = disjoint.length
    while (from < to) {
      const middle = (from + to) >> 1
      const range = disjoint[middle] as Range
      if (value < range.low) to = middle
      else if (value > range.high) from = middle + 1
      else return true
    }
    return false
  }
}
