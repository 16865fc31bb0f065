import type { GateRequest } from '../gate/index.js'

/** A fetch `Request` as the gate sees it. Its URL says the host: a worker has no other word for it. */
export function fetchGateRequest(request: Request, ip?: string): GateRequest {
  const url = new URL(request.url)
  return {
    method: request.method,
    host: url.host,
    target: url.pathname + url.search,
    secure: url.protocol === 'https:',
    ...(ip !== undefined && { ip }),
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => request.headers.entries(),
  }
}
