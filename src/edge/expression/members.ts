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

/** Reads `a`, `a..b` or, for addresses, a CIDR; what is none of them gives the reason. */
export function readRange(text: string, type: Type): Range | 'bad_range' | undefined {
  const [first = '', last = first, ...more] = text.split('..')
  if (more.length > 0) return undefined
  return type === 'Int' ? intRange(first, last) : ipRange(first, last)
}

function intRange(first: string, last: string): Range | 'bad_range' | undefined {
  const low = parseInteger(first)
  const high = parseInteger(last)
  if (low === undefined || high === undefined) return undefined
  return low > high ? 'bad_range' : { low, high }
}

function ipRange(first: string, last: string): Range | 'bad_range' | undefined {
  if (first.includes('/')) return first === last ? cidr(first) : undefined
  const low = parseIp(first)
  const high = parseIp(last)
  if (!low || !high) return undefined
  if (low.version !== high.version || low.value > high.value) return 'bad_range'
  return { version: low.version, low: low.value, high: high.value }
}

function cidr(text: string): Range | 'bad_range' | undefined {
  const [, address = '', bits = ''] = /^([^/]*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const ip = parseIp(address)
  const size = ip?.version === 4 ? 32 : 128
  if (!ip || +bits > size) return undefined
  const { version, value } = ip
  if (network(ip, +bits).value !== value) return 'bad_range'
  return { version, low: value, high: value + (1n << BigInt(size - +bits)) - 1n }
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
