import { BlockList, isIP } from 'node:net'

/** Whose forwarding headers are believed: nobody's, everybody's, or those of these networks. */
export type TrustForwarded = boolean | readonly string[]

/** Tells whether the machine at an address may say who its client is. */
export type Trusts = (address: string) => boolean

/**
 * Compiles the option to a predicate.
 *
 * @throws TypeError for an entry that is neither an address nor a network in CIDR notation
 */
export function trusts(option: TrustForwarded): Trusts {
  if (typeof option === 'boolean') return () => option
  const list = new BlockList()
  for (const entry of option) addNetwork(list, entry)
  return lastRemembered((address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  })
}

/** Most requests come from where the one before came from, and the list takes a microsecond. */
function lastRemembered(judge: Trusts): Trusts {
  let last: string | undefined
  let verdict = false
  return (address) => {
    if (address !== last) verdict = judge(address)
    last = address
    return verdict
  }
}

function addNetwork(list: BlockList, entry: string): void {
  const [address = '', prefix, ...more] = entry.split('/')
  const version = isIP(address)
  const width = version === 4 ? 32 : 128
  const bits = prefix === undefined ? width : Number(prefix)
  const valid =
    version !== 0 && more.length === 0 && (prefix === undefined || /^[0-9]{1,3}$/.test(prefix))
  if (!valid || bits > width) {
    throw new TypeError(`trustForwarded: ${JSON.stringify(entry)} is no address and no network`)
  }
  list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6')
}

const MAPPED = '::ffff:'

/** The address of the machine at the other end; IPv4 in its own notation, never IPv6-mapped. */
export function peerAddress(remote: string | undefined): string {
  if (remote === undefined) return ''
  return remote.startsWith(MAPPED) && isIP(remote.slice(MAPPED.length)) === 4
    ? remote.slice(MAPPED.length)
    : remote
}
