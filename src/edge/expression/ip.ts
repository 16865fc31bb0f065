/** An address: a number of 32 or 128 bits. A v4-mapped v6 address is v6. */
export interface Ip {
  readonly version: 4 | 6
  readonly value: bigint
}

const V4 = /^(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/
const V6 = /^[\da-f:]+$/i

/** Reads an address of either family, strictly: no leading zeros in v4, no zone, no brackets. */
export function parseIp(text: string): Ip | undefined {
  if (V4.test(text)) {
    return {
      version: 4,
      value: text.split('.').reduce((ip, byte) => (ip << 8n) | BigInt(byte), 0n),
    }
  }
  // Bun's URL does not read every address with its last 32 bits in dots.
  const end = text.lastIndexOf(':') + 1
  const v4 = text.slice(end)
  if (V4.test(v4)) {
    const v6 = parseIp(`${text.slice(0, end)}0:0`)
    return v6 && { version: 6, value: v6.value + parseIp(v4)!.value }
  }
  // The host of a URL is written in groups of digits, the longest run of zeros as two colons.
  const halves = V6.test(text) ? hostOf(text)?.split('::') : undefined
  if (!halves) return undefined
  const [head = '', tail = ''] = halves.map((half) =>
    half.replace(/\w+/g, (group) => group.padStart(4, '0')).replaceAll(':', ''),
  )
  return { version: 6, value: BigInt(`0x${head}${tail.padStart(32 - head.length, '0')}`) }
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
  if (version === 4) return [24n, 16n, 8n, 0n].map((bits) => (value >> bits) & 255n).join('.')
  const digits = value.toString(16).padStart(32, '0')
  return hostOf(digits.replace(/.{4}\B/g, '$&:'))!
}

/** How many bits an address has. */
export const widthOf = ({ version }: Ip): number => (version === 4 ? 32 : 128)
