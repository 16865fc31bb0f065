import type { IncomingMessage } from 'node:http'
import { peerAddress, type Trusts } from '../proxy/index.js'
import type { Dialect } from './dialect.js'
import { valuesOf, type Told } from './question.js'

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
  const method = told(rawHeaders, dialect.method, message.method)
  const target = told(rawHeaders, dialect.target, message.url)
  const host = told(rawHeaders, dialect.host ?? 'host')
  if (typeof method !== 'string') return faultOf(method)
  if (typeof target !== 'string') return faultOf(target)
  if (typeof host !== 'string') return faultOf(host)
  const encrypted = 'encrypted' in socket && socket.encrypted === true
  const { hidden } = dialect
  // The question's own Host is the name by which the proxy knows this service.
  const lines = dialect.host === undefined ? rawHeaders : withHost(rawHeaders, host)
  // That of the question is the proxy's choice: nginx asks in HTTP/1.0 whatever its client speaks.
  return { method, target, host, httpVersion: undefined, lines, hidden, remote, encrypted }
}

const withHost = (lines: readonly string[], host: string): readonly string[] => [
  'host',
  host,
  ...lines.filter((_, at) => lines[at & ~1]?.toLowerCase() !== 'host'),
]

/** The one value of a header, the number of its lines when there is no such one. */
function told(lines: readonly string[], name: string | undefined, otherwise = ''): string | number {
  if (name === undefined) return otherwise
  const values = valuesOf(lines, name)
  const [value] = values
  return values.length === 1 && value !== undefined && value !== '' ? value : values.length
}

/** A proxy writes each header once: a second line is somebody else's. */
const faultOf = (lines: number): QuestionFault => (lines > 1 ? 'repeated_header' : 'missing_header')
