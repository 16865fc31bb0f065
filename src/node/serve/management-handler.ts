import { briefly } from './briefly.js'
import type { Logger } from '../log/index.js'

/** What the management listener answers with, besides the API. */
export interface ManagementHandlerOptions {
  readonly api: (request: Request) => Promise<Response>
  /** Resolves when what the API changed is in force. */
  readonly settled: () => Promise<void>
  /** Whether the gate takes its time to change a zone of this id. */
  readonly isLarge: (zone: string) => boolean
  /** Whether requests should come here. */
  readonly ready: () => boolean
  readonly metrics: () => Promise<string>
  /** The answer to who may not see the metrics; everybody may without it. */
  readonly metricsRefusal?: (request: Request) => Promise<Response | undefined>
  readonly answered: (method: string, status: number) => void
  readonly log: Logger
}

/** Many zones that are changed side by side take turns: what is acknowledged is in force all the same. */
const PATIENCE_MS = 1000
/** Who changes a large zone bit by bit is not to wait for it each time. */
const LITTLE_PATIENCE_MS = 50

const ZONE_OF_PATH = /\/zones\/([^/]+)/

const LONGEST_PATH = 200
/** Ids are shorter; what is longer may be a secret in the place of one. */
const LONG_SEGMENT = /[^/]{41,}/g

/** The management listener: `/healthz`, `/readyz`, `/metrics`, and the API for everything else. */
export function managementHandler({
  api,
  settled,
  isLarge,
  ready,
  metrics,
  metricsRefusal,
  answered,
  log,
}: ManagementHandlerOptions): (request: Request) => Promise<Response> {
  const own = new Map<string, (request: Request) => Response | Promise<Response>>([
    ['/healthz', () => plain(200, 'ok\n')],
    ['/readyz', () => (ready() ? plain(200, 'ready\n') : plain(503, 'not ready\n'))],
    [
      '/metrics',
      async (request) =>
        (await metricsRefusal?.(request)) ?? plain(200, await metrics(), '; version=0.0.4'),
    ],
  ])
  const inForce = briefly(settled, PATIENCE_MS)
  const largeInForce = briefly(settled, LITTLE_PATIENCE_MS)
  return async (request) => {
    const { method } = request
    const path = new URL(request.url).pathname
    const answer = own.get(path)
    if (answer !== undefined) {
      if (method === 'GET' || method === 'HEAD') return answer(request)
      return plain(405, 'GET or HEAD\n', '', { allow: 'GET, HEAD' })
    }
    const start = performance.now()
    const response = await api(request)
    if (response.ok && method !== 'GET' && method !== 'HEAD')
      await (isLarge(ZONE_OF_PATH.exec(path)?.[1] ?? '') ? largeInForce : inForce)()
    answered(method, response.status)
    log.info(
      {
        method: method.slice(0, 20),
        path: path.replaceAll(LONG_SEGMENT, '…').slice(0, LONGEST_PATH),
        status: response.status,
        ms: Math.round((performance.now() - start) * 10) / 10,
        request_id: response.headers.get('x-request-id'),
      },
      'api request',
    )
    return response
  }
}

function plain(
  status: number,
  text: string,
  parameter = '; charset=utf-8',
  headers = {},
): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': `text/plain${parameter}`, 'cache-control': 'no-store', ...headers },
  })
}
