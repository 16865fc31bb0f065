// A process with nothing in it but the proxy: tells its port, and its peak memory when asked.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGate } from '../../../src/edge/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { createProxy } from '../../../src/node/proxy/index.js'

const proxy = createProxy({
  gate: createGate({ id: 'zone-1', name: 'shop.example' }, { crypto: nodeCrypto() }),
  upstream: () => process.argv[2],
})
const server = createServer()
proxy.attach(server)
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', () => process.send?.(peakKilobytes()))
process.on('disconnect', () => process.exit())

/** Linux adds the parent's peak to `maxRSS` of a forked process; its own one is in /proc. */
function peakKilobytes(): number {
  try {
    const status = readFileSync('/proc/self/status', 'latin1')
    return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS)
  } catch {
    return process.resourceUsage().maxRSS
  }
}
