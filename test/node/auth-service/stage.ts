import { createHmac } from 'node:crypto'
import { createServer, request, type RequestOptions } from 'node:http'
import { createGate, type Decision, type Zone } from '../../../src/edge/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { createAuthService, type AuthServiceOptions } from '../../../src/node/auth-service/index.js'
import { listen } from '../proxy/stage.js'

/** Epoch seconds at which every test takes place. */
export const NOW = 1_700_000_000
const secret = Buffer.from('a secret of thirty-two bytes, no more'.slice(0, 32))

/** `/orders` needs a token; `/health` and what is not listed need none. */
export const ZONE: Zone = {
  id: 'shop',
  name: 'shop.example',
  settings: { claim_headers: [{ header: 'X-User', configuration_id: 'users', claim: 'sub' }] },
  token_configurations: [
    {
      id: 'users',
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: {
        keys: [{ kty: 'oct', alg: 'HS256', kid: 'k', k: secret.toString('base64url') }],
      },
    },
  ],
  operations: [
    { operation_id: 'orders', method: 'GET', host: 'shop.example', endpoint: '/orders' },
    { operation_id: 'order', method: 'POST', host: 'shop.example', endpoint: '/orders' },
    { operation_id: 'health', method: 'GET', host: 'shop.example', endpoint: '/health' },
  ],
  rules: [
    {
      id: 'orders',
      action: 'block',
      expression: 'is_jwt_valid("users")',
      selector: { exclude: [{ operation_ids: ['health'] }] },
    },
  ],
}

const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token of the zone's one key. */
export function tokenOf(sub: string): string {
  const text = `${segment({ alg: 'HS256', kid: 'k' })}.${segment({ sub, exp: NOW + 60 })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

export interface Stage {
  readonly port: number
  readonly decisions: Decision[]
  readonly faults: unknown[]
}

/** An auth service on a port of its own. */
export async function stage(
  options: Omit<AuthServiceOptions, 'gate'> & Partial<Pick<AuthServiceOptions, 'gate'>>,
): Promise<Stage> {
  const decisions: Decision[] = []
  const faults: unknown[] = []
  const service = createAuthService({
    gate: createGate(ZONE, { crypto: nodeCrypto(), now: () => NOW * 1000 }),
    onDecision: (decision) => void decisions.push(decision),
    onFault: (fault) => void faults.push(fault),
    now: () => NOW * 1000,
    ...options,
  })
  const server = createServer()
  service.attach(server)
  return { port: await listen(server), decisions, faults }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** One request; `headers` are lines, names and values in turn. */
export function ask(
  port: number,
  { headers = [], ...options }: Omit<RequestOptions, 'headers'> & { headers?: readonly string[] },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const lines = [...headers]
    if (!lines.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'host'))
      lines.push('Host', 'gate')
    const sent = request({ host: '127.0.0.1', port, agent: false, ...options, headers: lines })
    sent.on('error', reject).on('response', (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    sent.end()
  })
}
