import { expect, test } from 'vitest'
import { mayConnect } from '../../../src/node/outbound/may-connect.js'

const ANYONE = [
  '1.1.1.1',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2001:4860:4860::8888',
]

const INSIDE = [
  ['loopback', '127.0.0.1'],
  ['loopback, the end of it', '127.255.255.254'],
  ['10/8', '10.0.0.1'],
  ['172.16/12', '172.16.0.1'],
  ['172.16/12, the end of it', '172.31.255.255'],
  ['192.168/16', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, the end of it', '100.127.255.255'],
  ['IPv6 loopback', '::1'],
  ['IPv6 loopback, written out', '0:0:0:0:0:0:0:1'],
  ['unique local', 'fc00::1'],
  ['unique local, the half in use', 'fd12:3456:789a::1'],
] as const

const NOBODY = [
  ['metadata of clouds', '169.254.169.254'],
  ['link-local', '169.254.0.1'],
  ['metadata of Azure', '168.63.129.16'],
  ['metadata of Oracle', '192.0.0.192'],
  ['metadata of AWS in IPv6', 'fd00:ec2::254'],
  ['this network', '0.0.0.0'],
  ['this network, the end of it', '0.255.255.255'],
  ['protocol assignments', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['documentation 2', '198.51.100.1'],
  ['documentation 3', '203.0.113.1'],
  ['6to4 relays', '192.88.99.1'],
  ['benchmarks', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['multicast, the end of it', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['mapped', '::ffff:127.0.0.1'],
  ['mapped, in hexadecimal', '::ffff:7f00:1'],
  ['mapped public', '::ffff:1.1.1.1'],
  ['mapped link-local', '::ffff:169.254.169.254'],
  ['compatible', '::127.0.0.1'],
  ['translated (SIIT)', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 of a network', '64:ff9b:1::7f00:1'],
  ['6to4', '2002:7f00:1::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['ORCHID', '2001:20::1'],
  ['IPv6 benchmarks', '2001:2::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['IPv6 documentation 2', '3fff::1'],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 link-local with a zone', 'fe80::1%eth0'],
  ['a public one with a zone', '2606:4700::1111%eth0'],
  ['site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['discard only', '100::1'],
  ['segment routing', '5f00::1'],
  ['a name', 'localhost'],
  ['nothing', ''],
] as const

test.each(ANYONE)('%s is for anyone', (address) => {
  expect([mayConnect(address, false), mayConnect(address, true)]).toEqual([true, true])
})

test.each(INSIDE)('%s is for those who allow private addresses: %s', (_, address) => {
  expect([mayConnect(address, false), mayConnect(address, true)]).toEqual([false, true])
})

test.each(NOBODY)('%s is for nobody: %s', (_, address) => {
  expect([mayConnect(address, false), mayConnect(address, true)]).toEqual([false, false])
})
