import { STATUS_CODES, type ServerResponse } from 'node:http'

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
