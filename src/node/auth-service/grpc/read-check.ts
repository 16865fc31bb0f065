import { isIP } from 'node:net'
import { latin1Text } from '../../bytes/index.js'
import { HeaderLines } from '../../proxy/index.js'
import { knownDialect } from '../dialect.js'
import type { Told } from '../question.js'

/** The question as it is decoded; what was not sent is undefined. See `PROTOCOL`. */
export interface CheckRequest {
  readonly attributes?: {
    readonly source?: { readonly address?: { readonly socket?: { readonly address?: string } } }
    readonly request?: { readonly http?: HttpRequest }
  }
}

interface HttpRequest {
  readonly method?: Buffer
  readonly path?: Buffer
  readonly host?: Buffer
  readonly scheme?: Buffer
  readonly query?: Buffer
  readonly fragment?: Buffer
  readonly protocol?: Buffer
  /** Lines of one name come merged, unless they come raw. */
  readonly headers?: readonly Line[]
  readonly rawHeaders?: { readonly lines?: readonly Line[] }
}

interface Line {
  readonly name?: Buffer
  readonly value?: Buffer
  readonly raw?: Buffer
}

const { hidden } = knownDialect('ext-authz')

const latin1 = (bytes: Buffer | undefined): string => (bytes === undefined ? '' : latin1Text(bytes))

/**
 * The client's request in what Envoy asks over gRPC; undefined when it lacks what every request has.
 *
 * @param remote address of the Envoy that asks
 */
export function readCheck({ attributes }: CheckRequest, remote: string): Told | undefined {
  const http = attributes?.request?.http
  const method = latin1(http?.method)
  const host = latin1(http?.host)
  const path = latin1(http?.path)
  if (http === undefined || method === '' || host === '' || path === '') return undefined
  const lines = headerLines(http)
  const sender = attributes?.source?.address?.socket?.address
  // Envoy may leave this header as the client sent it; who it talked to, it knows for sure.
  if (sender !== undefined && isIP(sender) !== 0) lines.push('x-forwarded-for', sender)
  return {
    method,
    host,
    // The path has its query already; others that speak this protocol may not know.
    target: path + after('?', http.query, path) + after('#', http.fragment, path),
    httpVersion: latin1(http.protocol) || 'HTTP/1.1',
    head: new HeaderLines(lines),
    hidden,
    remote,
    encrypted: latin1(http.scheme).toLowerCase() === 'https',
  }
}

function headerLines({ headers = [], rawHeaders }: HttpRequest): string[] {
  const out: string[] = []
  for (const { name, value, raw } of [...headers, ...(rawHeaders?.lines ?? [])]) {
    const text = latin1(name)
    // Pseudo-headers are told apart from the others, and so is the host.
    if (text === '' || text.startsWith(':') || text.toLowerCase() === 'host') continue
    out.push(text, latin1(raw?.length ? raw : value))
  }
  return out
}

function after(mark: '?' | '#', part: Buffer | undefined, path: string): string {
  const text = latin1(part)
  return text === '' || path.includes(mark) ? '' : mark + text
}
