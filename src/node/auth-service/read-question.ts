import type { IncomingMessage } from 'node:http'
import { HeaderLines, peerAddress, type Trusts } from '../proxy/index.js'
import type { Dialect } from './dialect.js'
import type { Told } from './question.js'

/** Why a question cannot be judged: the proxy is not set up as its dialect says. */
export type QuestionFault =
  'untrusted_peer' | 'missing_header' | 'repeated_header' | 'missing_attribute'

/** Reads what a proxy asks, by the headers of its dialect and no others. */
export function readQuestion(
  message: IncomingMessage,
  dialect: Dialect,
  trusts: Trusts,
): Told | QuestionFault {
  const { rawHeaders, socket } = message
  const remote = socket.remoteAddress
  if (!trusts(peerAddress(remote))) return 'untrusted_peer'
  const head = new HeaderLines(rawHeaders)
  const method = told(head, dialect.method, message.method)
  const target = told(head, dialect.target, message.url)
  // The question's own Host may be the name by which the proxy knows this service.
  const host = told(head, dialect.host ?? 'host')
  if (typeof method !== 'string') return faultOf(method)
  if (typeof target !== 'string') return faultOf(target)
  if (typeof host !== 'string') return faultOf(host)
  const encrypted = 'encrypted' in socket && socket.encrypted === true
  const { hidden } = dialect
  // That of the question is the proxy's choice: nginx asks in HTTP/1.0 whatever its client speaks.
  return { method, target, host, httpVersion: undefined, head, hidden, remote, encrypted }
}

/** The one value of a header; where there is none, the number of its lines, 2 standing for more. */
function told(head: HeaderLines, name: string | undefined, otherwise = ''): string | number {
  if (name === undefined) return otherwise
  const at = head.find(name)
  if (at < 0) return 0
  if (head.find(name, at + 1) >= 0) return 2
  return head.lines[2 * at + 1] || 1
}

/** A proxy writes each header once: a second line is somebody else's. */
const faultOf = (lines: number): QuestionFault => (lines > 1 ? 'repeated_header' : 'missing_header')
