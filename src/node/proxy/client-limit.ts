import type { ServerResponse } from 'node:http'

/**
 * Limits how long a client keeps the other side waiting, for its body or for room to answer. Time in
 * which nobody waits for the client does not count, nor does time in which anything moves on its
 * connection; a response to a pipelined request is not its turn yet.
 *
 * @param limit milliseconds
 * @param onStalled called once
 */
export function limitClient(
  response: ServerResponse,
  limit: number,
  isWaited: () => boolean,
  onStalled: () => void,
): void {
  const { socket } = response
  if (socket === null) {
    response.once('socket', () => limitClient(response, limit, isWaited, onStalled))
    return
  }
  // Node emits it on the response whose turn it is.
  const onSilence = () => {
    if (!isWaited()) return void socket.setTimeout(limit)
    response.off('timeout', onSilence)
    onStalled()
  }
  response.on('timeout', onSilence)
  // First: Node goes back to its own limit only where no pipelined response takes its turn then.
  const { timeout = 0 } = socket
  response.prependOnceListener('finish', () => socket.setTimeout(timeout))
  socket.setTimeout(limit)
}
