import type { Zone } from '../../edge/index.js'
import type { DemoKeys } from './demo-keys.js'

/** The zone of the demo: `*.localhost`, which curl and browsers send to this machine. */
export function demoPolicy(keys: DemoKeys, upstream: string): Zone {
  return {
    id: 'demo',
    name: 'localhost',
    upstream,
    settings: {
      strip_tokens: true,
      claim_headers: [{ header: 'X-Customer', configuration_id: 'customers', claim: 'sub' }],
    },
    token_configurations: [
      {
        id: 'customers',
        title: 'Customers of the shop (RS256)',
        token_type: 'JWT',
        token_sources: [
          'http.request.headers["authorization"][0]',
          'http.request.cookies["session"][0]',
        ],
        credentials: { keys: [keys.customers.jwk] },
      },
      {
        id: 'partners',
        title: 'Partner companies (ES256)',
        token_type: 'JWT',
        token_sources: ['http.request.headers["x-partner-token"][0]'],
        credentials: { keys: [keys.partners.jwk] },
      },
      {
        id: 'machines',
        title: 'Our own machines (HS256)',
        token_type: 'JWT',
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [keys.machines.jwk] },
      },
    ],
    operations: [
      operation('list-orders', 'GET', 'api.localhost', '/orders'),
      operation('read-order', 'GET', 'api.localhost', '/orders/{id}'),
      operation('create-order', 'POST', 'api.localhost', '/orders'),
      operation('health', 'GET', 'api.localhost', '/health'),
      operation('read-report', 'GET', 'admin.localhost', '/reports/{year}'),
      operation('catalogue', 'GET', 'partners.localhost', '/catalogue'),
      operation('send-metrics', 'POST', 'metrics.localhost', '/samples'),
    ],
    rules: [
      {
        id: 'orders',
        title: 'Orders need a customer or a machine',
        action: 'block',
        expression: 'is_jwt_valid("customers") or is_jwt_valid("machines")',
        selector: {
          include: [{ host: 'api.localhost' }],
          exclude: [{ operation_ids: ['health'] }],
        },
      },
      {
        id: 'reports',
        title: 'Reports are for administrators',
        action: 'block',
        expression: [
          'is_jwt_valid("customers") and',
          'lookup_json_string(http.request.jwt.claims["customers"][0], "role") eq "admin"',
        ].join('\n'),
        selector: { include: [{ host: ['admin.localhost'] }] },
      },
      {
        id: 'partners',
        title: 'The catalogue is for partners',
        action: 'block',
        expression: 'is_jwt_valid("partners")',
        selector: { include: [{ host: 'partners.localhost' }] },
      },
      {
        id: 'metrics',
        title: 'Metrics should carry a token (watching first)',
        action: 'log',
        expression: 'is_jwt_valid("machines")',
        selector: { include: [{ host: 'metrics.localhost' }] },
      },
    ],
  }
}

function operation(operation_id: string, method: string, host: string, endpoint: string) {
  return { operation_id, method, host, endpoint }
}
