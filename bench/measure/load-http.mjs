import { once } from 'node:events'
import { connect } from 'node:net'

export const CONNECTIONS = 16

/** For `compareServers`: whether a server answers a request over HTTP/1.1, which it should not allow, with 401 or 403. */
export const refusesHttp = (request) => async (port) => {
  const socket = connect(port, '127.0.0.1')
  socket.write(request, 'latin1')
  const [part] = await once(socket, 'data')
  socket.destroy()
  return /^HTTP\/1\.1 40[13] /.test(part.toString('latin1'))
}

/**
 * For `compareServers`: sends requests over HTTP/1.1, one after the other on each connection.
 *
 * @param requests their texts, sent in turn
 * @param bodyLength of every answer
 */
export const loadHttp = (requests, bodyLength) => async (port, count) => {
  let left = count
  let answered = 0
  const ask = (socket) => {
    let missing = 0
    const next = () => {
      if (left-- > 0) socket.write(requests[left % requests.length], 'latin1')
      else socket.end()
    }
    socket.on('data', (part) => {
      if (missing === 0) {
        if (!part.toString('latin1', 0, 15).startsWith('HTTP/1.1 200 ')) throw new Error(`${part}`)
        missing = part.indexOf('\r\n\r\n') + 4 + bodyLength
      }
      missing -= part.length
      if (missing > 0) return
      answered++
      next()
    })
    next()
  }
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.once('connect', () => ask(socket))
  await Promise.all(sockets.map((socket) => once(socket, 'close')))
  if (answered !== count) throw new Error(`of ${count} requests ${answered} were answered`)
}
