import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A name server that answers each question with the next address, the last one for ever. */
export async function rebindingDns(addresses: readonly string[]): Promise<{
  readonly resolve: (hostname: string) => Promise<readonly string[]>
  readonly asked: () => number
}> {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (question, { address, port }) => {
    const next = addresses[Math.min(asked++, addresses.length - 1)]!
    socket.send(answerTo(question, next), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`])
  return { resolve: (hostname) => resolver.resolve4(hostname), asked: () => asked }
}

/** The question, and one A record of no lifetime that points back at its name (RFC 1035, 4.1). */
function answerTo(question: Buffer, address: string): Buffer {
  const end = question.indexOf(0, 12) + 5
  const head = Buffer.from([question[0]!, question[1]!, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]
  return Buffer.concat([head, question.subarray(12, end), Buffer.from(record)])
}
