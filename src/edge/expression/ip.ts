/** An address: a number of 32 or 128 bits. A v4-mapped v6 address is v6. */
export interface Ip {
  readonly version: 4 | 6
  readonly value: bigint
}

const DECIMAL = /^(?:0|[1-9]\d{0,2})$/
const HEX = /^[0-9a-fA-F]{1,4}$/

/** Reads an address of either family, strictly: no leading zeros in v4, no zone, no brackets. */
export function parseIp(text: string): Ip | undefined {
  // The longest spelling of an address has 45 characters.
  if (text.length > 45) return undefined
  const version = text.includes(':') ? 6 : 4
  const value = version === 4 ? parseV4(text) : parseV6(text)
  return value === undefined ? undefined : { version, value }
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => DECIMAL.test(part) && +part < 256)) return
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function parseV6(text: string): bigint | undefined {
  const dotted = /[^:]*\.[^:]*$/.exec(text)?.[0]
  if (dotted !== undefined) {
    const value = parseV4(dotted)
    if (value === undefined) return
    const groups = `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
    text = text.slice(0, -dotted.length) + groups
  }
  const halves = text.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const [head = [], tail] = halves
  const absent = 8 - head.length - (tail?.length ?? 0)
  if (halves.length > 2 || (tail ? absent < 1 : absent !== 0)) return
  const groups = tail ? [...head, ...Array<string>(absent).fill('0'), ...tail] : head
  if (!groups.every((group) => HEX.test(group))) return
  return groups.reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n)
}

/** An address as text, v6 in the form of RFC 5952. */
export function formatIp({ version, value }: Ip): string {
  const [count, bits, radix] = version === 4 ? [4, 8n, 10] : [8, 16n, 16]
  const groups: string[] = []
  for (let rest = value; groups.length < count; rest >>= bits) {
    groups.unshift((rest & ((1n << bits) - 1n)).toString(radix))
  }
  if (version === 4) return groups.join('.')
  // The host of a URL is written in this form (URL Standard, "IPv6 serializer").
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** The address with all but its first `bits` bits cleared. */
export function network({ version, value }: Ip, bits: number): Ip {
  const host = BigInt((version === 4 ? 32 : 128) - bits)
  return { version, value: (value >> host) << host }
}
