/** An address: a number of 32 or 128 bits. A v4-mapped v6 address is v6. */
export interface Ip {
  readonly version: 4 | 6
  readonly value: bigint
}

const V4 = /^(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/
const V6 = /^[\da-fA-F:.]+$/

/** Reads an address of either family, strictly: no leading zeros in v4, no zone, no brackets. */
export function parseIp(text: string): Ip | undefined {
  if (V4.test(text)) {
    return {
      version: 4,
      value: text.split('.').reduce((ip, byte) => (ip << 8n) | BigInt(byte), 0n),
    }
  }
  // The host of a URL is written in groups of digits, the longest run of zeros as two colons.
  const halves = V6.test(text) ? hostOf(text)?.split('::') : undefined
  if (!halves) return undefined
  const [head = [], tail = []] = halves.map((half) => (half ? half.split(':') : []))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  const groups = [...head, ...zeros, ...tail]
  return { version: 6, value: groups.reduce((ip, group) => (ip << 16n) | BigInt(`0x${group}`), 0n) }
}

/** An address of version 6 as URLs write it (URL Standard, "IPv6 serializer"). */
function hostOf(text: string): string | undefined {
  try {
    return new URL(`http://[${text}]`).hostname.slice(1, -1)
  } catch {
    // A URL says so by an exception that a text is no address.
    return undefined
  }
}

/** An address as text, v6 in the form of RFC 5952. */
export function formatIp({ version, value }: Ip): string {
  const [count, bits, radix] = version === 4 ? [4, 8, 10] : [8, 16, 16]
  const groups: string[] = []
  for (let rest = value; groups.length < count; rest >>= BigInt(bits)) {
    groups.unshift(BigInt.asUintN(bits, rest).toString(radix))
  }
  if (version === 4) return groups.join('.')
  return hostOf(groups.join(':')) ?? ''
}

/** The address with all but its first `bits` bits cleared. */
export function network({ version, value }: Ip, bits: number): Ip {
  const host = BigInt((version === 4 ? 32 : 128) - bits)
  return { version, value: (value >> host) << host }
}
