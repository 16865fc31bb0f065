import { headerEdits, type Decision, type Gate } from '../gate/index.js'
import { admit, type Admission, type EmbedOptions } from './admit.js'
import { NodeGateRequest, type NodeRequest } from './node-gate-request.js'

/** The parts of `IncomingMessage` and `ServerResponse` that are used. */
export interface ConnectRequest extends NodeRequest {
  url?: string | undefined
  /** Of Express: where the middleware is mounted, which `url` lacks. */
  readonly baseUrl?: string
  readonly originalUrl?: string
  headers: Record<string, string | string[] | undefined>
  /** Set for handlers further on. */
  decision?: Decision
}
export interface ConnectResponse {
  statusCode: number
  setHeader(name: string, value: string | readonly string[]): unknown
  end(body: string): unknown
}

type Next = (error?: unknown) => void

/**
 * Middleware for Express, Connect and what speaks like them. Handlers find `request.decision`, and
 * `request.url` is the normalised one that was judged. Express itself routes `/Users/` like
 * `/users` unless told otherwise: enable its strict and case-sensitive routing, or let the zone
 * cover unlisted operations.
 * @example
 * app.use(connectGate(createGate(policy, { crypto: nodeCrypto() })))
 */
export function connectGate<Asked extends ConnectRequest>(
  gate: Gate,
  options: EmbedOptions<Asked> = {},
): (request: Asked, response: ConnectResponse, next: Next) => void {
  return (request, response, next) => {
    const asked = new NodeGateRequest(request, {
      ip: options.ip?.(request),
      url: wholeUrl(request),
    })
    const proceed = ({ decision, answer }: Admission) => {
      if (answer !== null) refuse(answer, request, response)
      else goOn(decision as Decision, asked, request, next)
    }
    const admission = admit(gate, asked, request, options)
    if (admission instanceof Promise) admission.then(proceed).catch(next)
    else proceed(admission)
  }
}

function refuse(
  { status, headers, body }: NonNullable<Admission['answer']>,
  { method }: ConnectRequest,
  response: ConnectResponse,
): void {
  response.statusCode = status
  for (const [name, value] of headers) response.setHeader(name, value)
  response.end(method === 'HEAD' ? '' : body)
}

function goOn(
  decision: Decision,
  asked: NodeGateRequest,
  request: ConnectRequest,
  next: Next,
): void {
  const url = innerUrl(decision.target, request.baseUrl ?? '')
  if (url === undefined) {
    const fault = new URIError('the path leaves the one that the gate is mounted at')
    return next(Object.assign(fault, { status: 400 }))
  }
  request.decision = decision
  request.url = url
  editHeaders(request, decision, asked.host)
  next()
}

/** What the client asked for, the mount point included. */
function wholeUrl({ baseUrl = '', originalUrl, url = '/' }: ConnectRequest): string {
  // Of the mount point itself Express makes `/`, whether or not a slash was sent.
  const bare = baseUrl + url.slice(1)
  return baseUrl !== '' && bare === originalUrl ? bare : baseUrl + url
}

/** The part of a target below the mount point; `undefined` when dot segments led out of it. */
function innerUrl(target: string, base: string): string | undefined {
  if (base === '') return target
  const rest = target.slice(base.length)
  if (!target.startsWith(base) || !/^(?:[/?]|$)/.test(rest)) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Handlers read headers in three forms: all of them say the same. */
function editHeaders(request: ConnectRequest, decision: Decision, host: string): void {
  const edits = headerEdits(decision)
  const { headers, rawHeaders } = request
  const set = [...(edits?.set ?? [])]
  if (typeof edits?.cookie === 'string') set.push(['Cookie', edits.cookie])
  // The authority of an absolute target was judged (RFC 9112 3.2.2): no other host may be read.
  if (host !== (headers['host'] ?? '')) set.push(['Host', host])
  const gone = new Set([...(edits?.remove ?? []), ...set.map(([name]) => name.toLowerCase())])
  if (edits?.cookie === null) gone.add('cookie')
  if (gone.size === 0) return
  const kept = rawHeaders.filter((_, at) => !gone.has((rawHeaders[at & ~1] ?? '').toLowerCase()))
  const lines = [...kept, ...set.flat()]
  define(request, 'rawHeaders', lines)
  // Node would make these from the raw ones, counting on their old number.
  define(request, 'headersDistinct', distinct(lines))
  for (const name of gone) delete headers[name]
  for (const [name, value] of set) define(headers, name.toLowerCase(), value)
}

/** Defines where assigning would not do: HTTP/2 has getters, and a header may be called `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  const line = { value, writable: true, enumerable: true, configurable: true }
  Object.defineProperty(target, name, line)
}

function distinct(lines: readonly string[]): Record<string, string[]> {
  const values = new Map<string, string[]>()
  for (let at = 0; at < lines.length; at += 2) {
    const name = (lines[at] ?? '').toLowerCase()
    values.set(name, [...(values.get(name) ?? []), lines[at + 1] ?? ''])
  }
  return Object.fromEntries(values)
}
