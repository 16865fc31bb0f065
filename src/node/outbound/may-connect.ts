import { BlockList, isIP } from 'node:net'

type Subnet = readonly [network: string, prefix: number]

// Special-purpose addresses (RFC 6890 and the registries of IANA that continue it).
/** Inside an organisation: where only its own issuers are. */
const PRIVATE_4: readonly Subnet[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]
/** Nowhere, or where no issuer is: link-local has what clouds tell their machines, keys too. */
const NEVER_4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  // Where Azure answers its machines, from a public address.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Everything public. Mapped, compatible and translated IPv4 addresses (NAT64) lie outside. */
const GLOBAL_6: readonly Subnet[] = [['2000::', 3]]
const PRIVATE_6: readonly Subnet[] = [
  ['::1', 128],
  ['fc00::', 7],
]
/** Within the public ones: protocols with Teredo, documentation, 6to4, AS112. */
const NEVER_6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  // Where AWS answers its machines, from a unique local address.
  ['fd00:ec2::', 32],
]

// One list a family: a list of both takes IPv4 addresses for their mapped form.
const listOf = (subnets: readonly Subnet[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}
const private4 = listOf(PRIVATE_4, 'ipv4')
const never4 = listOf(NEVER_4, 'ipv4')
const global6 = listOf(GLOBAL_6, 'ipv6')
const private6 = listOf(PRIVATE_6, 'ipv6')
const never6 = listOf(NEVER_6, 'ipv6')

/**
 * Whether a stranger's URL may lead to an address (IPv4 or IPv6, no host name).
 *
 * @param allowPrivate loopback and private networks too; link-local addresses never
 */
export function mayConnect(address: string, allowPrivate: boolean): boolean {
  // An address with a zone (fe80::1%eth0) is link-local.
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 4) return !never4.check(address) && (allowPrivate || !private4.check(address))
  if (family === 6) {
    if (never6.check(address, 'ipv6')) return false
    return global6.check(address, 'ipv6') || (allowPrivate && private6.check(address, 'ipv6'))
  }
  return false
}
