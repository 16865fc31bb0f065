import type { ServerResponse } from 'node:http'
import { breakOff } from './answer.js'

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

/**
 * Limits how long a client takes for the rest of an answer that ended: a single one most often goes
 * out at once, but answers to pipelined requests pile up behind one that nobody reads.
 *
 * @param limit milliseconds
 */
export function limitRest(response: ServerResponse, limit: number): void {
  // Node holds what is written back until then.
  process.nextTick(minded, response, limit)
}

function minded(response: ServerResponse, limit: number): void {
  if (response.writableFinished || response.destroyed) return
  limitClient(response, limit, always, () => breakOff(response))
}

const always = (): boolean => true
