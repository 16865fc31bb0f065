import type { Logger } from './logger.js'

/** What the management listener answers with, besides the API. */
export interface ManagementHandlerOptions {
  readonly api: (request: Request) => Promise<Response>
  /** After a change was acknowledged by the API and before the answer goes out. */
  readonly changed: () => Promise<void>
  /** Whether requests should come here. */
  readonly ready: () => boolean
  readonly metrics: () => string
  readonly answered: (method: string, status: number) => void
  readonly log: Logger
}

/** How long an answer waits for the gate: a large zone holds up no client. */
const WAIT_MS = 50
const LONGEST_PATH = 200

/** The management listener: `/healthz`, `/readyz`, `/metrics`, and the API for everything else. */
export function managementHandler({
  api,
  changed,
  ready,
  metrics,
  answered,
  log,
}: ManagementHandlerOptions): (request: Request) => Promise<Response> {
  const own = new Map<string, () => Response>([
    ['/healthz', () => plain(200, 'ok\n')],
    ['/readyz', () => (ready() ? plain(200, 'ready\n') : plain(503, 'not ready\n'))],
    ['/metrics', () => plain(200, metrics(), '; version=0.0.4')],
  ])
  return async (request) => {
    const { method } = request
    const path = new URL(request.url).pathname
    const answer = own.get(path)
    if (answer !== undefined) {
      if (method === 'GET' || method === 'HEAD') return answer()
      return plain(405, 'GET or HEAD\n', '', { allow: 'GET, HEAD' })
    }
    const start = performance.now()
    const response = await api(request)
    if (response.ok && method !== 'GET' && method !== 'HEAD') await briefly(changed())
    answered(method, response.status)
    log.info(
      {
        method: method.slice(0, 20),
        path: path.slice(0, LONGEST_PATH),
        status: response.status,
        ms: Math.round((performance.now() - start) * 10) / 10,
        request_id: response.headers.get('x-request-id'),
      },
      'api request',
    )
    return response
  }
}

async function briefly(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)))
  await Promise.race([work, enough])
  clearTimeout(timer)
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
