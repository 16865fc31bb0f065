import { STATUS_CODES, type ServerResponse } from 'node:http'

const EMPTY = Buffer.alloc(0)

const PRINTABLE = /^[\t -~]*$/

/**
 * Sends the head of upstream's answer.
 *
 * @param reason as undici reads it: decoded as UTF-8, while a status line is bytes
 * @param lines names and values in turn
 */
export function startResponse(
  response: ServerResponse,
  status: number,
  reason: string,
  lines: string[],
): void {
  const isUsual = reason === STATUS_CODES[status] || PRINTABLE.test(reason)
  const bytes = isUsual ? reason : Buffer.from(reason).toString('latin1')
  response.writeHead(status, bytes, lines)
}

/**
 * Sends a head whose body is not here yet. Node's own `flushHeaders` writes it as UTF-8, which makes
 * two bytes of one above 0x7f; before bytes it is written as it came.
 */
export function flushHead(response: ServerResponse): void {
  if (!response.writableEnded) response.write(EMPTY)
}

/** Copying more costs more than it spares. */
const SHORT_BODY = 4096

/**
 * Sends the first bytes of a body with the head before them. As text both are one, and are written by
 * one plain call; Node would gather head, bytes and an empty end.
 *
 * @returns false: not more for now
 */
export function writeFirst(response: ServerResponse, chunk: Buffer): boolean {
  const { socket } = response
  const isShort = chunk.length <= SHORT_BODY
  if (!isShort || socket === null || response.chunkedEncoding) return response.write(chunk)
  socket.cork()
  const mayWrite = response.write(chunk.toString('latin1'), 'latin1')
  socket.uncork()
  return mayWrite
}
