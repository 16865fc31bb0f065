import type { DemoTokens } from './demo-tokens.js'

/** One request of the demo's story and what must come of it. */
export interface DemoStep {
  readonly title: string
  readonly method: 'GET' | 'POST'
  readonly host: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly expect: {
    readonly status: number
    /** `action reason` of the decision; null where an error page is served without one. */
    readonly decision: string | null
    /** Texts that the answer (headers, then body) must hold. */
    readonly holds?: readonly string[]
    readonly lacks?: readonly string[]
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The story in order. The last step needs the policy that `--once` puts in force half way. */
export function demoSteps(tokens: DemoTokens): readonly DemoStep[] {
  const orders = { method: 'GET', host: 'api.localhost', path: '/orders/17' } as const
  const refused = { status: 401, decision: 'block no_valid_token' } as const
  const passed = { status: 200, decision: 'pass satisfied' } as const
  return [
    {
      title: 'an operation excluded from the rule needs no token',
      method: 'GET',
      host: 'api.localhost',
      path: '/health',
      headers: {},
      expect: { status: 200, decision: 'pass not_covered' },
    },
    {
      title: 'without a token the order is refused, with a challenge',
      ...orders,
      headers: { accept: 'application/json' },
      expect: {
        ...refused,
        holds: ['www-authenticate: Bearer realm="localhost"', '"error_code":1020'],
      },
    },
    {
      title: 'an RS256 token passes; its subject goes on as a header, the token does not',
      ...orders,
      headers: bearer(tokens.customer),
      expect: { ...passed, holds: ['"customer":"customer-17"', '"not sent on"'] },
    },
    {
      title: 'the same token from a cookie',
      ...orders,
      headers: { cookie: `theme=dark; session=${tokens.customer}` },
      expect: { ...passed, holds: ['"cookie":"theme=dark"'] },
    },
    {
      title: 'a client cannot send the claim header itself',
      ...orders,
      headers: { ...bearer(tokens.customer), 'x-customer': 'admin-1' },
      expect: { ...passed, holds: ['"customer":"customer-17"'], lacks: ['admin-1'] },
    },
    {
      title: 'an HS256 token of a machine satisfies the same rule',
      ...orders,
      headers: bearer(tokens.machine),
      expect: passed,
    },
    {
      title: 'an expired token is refused, and the challenge says invalid_token',
      ...orders,
      headers: bearer(tokens.expired),
      expect: { ...refused, holds: ['error="invalid_token"'] },
    },
    {
      title: 'a changed payload under an old signature is refused',
      ...orders,
      headers: bearer(tokens.tampered),
      expect: refused,
    },
    {
      title: 'alg: none is refused',
      ...orders,
      headers: bearer(tokens.unsigned),
      expect: refused,
    },
    {
      title: 'an HMAC made with the public key is refused',
      ...orders,
      headers: bearer(tokens.confused),
      expect: refused,
    },
    {
      title: 'dots and percent signs in a path lead to the same operation, and the same refusal',
      ...orders,
      path: '/health/..//%6Frders/./17',
      headers: {},
      expect: refused,
    },
    {
      title: 'a valid token without the claim is 403, not 401',
      method: 'GET',
      host: 'admin.localhost',
      path: '/reports/2026',
      headers: bearer(tokens.customer),
      expect: { status: 403, decision: 'block expression_failed', lacks: ['www-authenticate'] },
    },
    {
      title: 'with the claim role = admin it passes',
      method: 'GET',
      host: 'admin.localhost',
      path: '/reports/2026',
      headers: bearer(tokens.admin),
      expect: passed,
    },
    {
      title: 'an ES256 token in a header of its own',
      method: 'GET',
      host: 'partners.localhost',
      path: '/catalogue',
      headers: { 'x-partner-token': tokens.partner },
      expect: passed,
    },
    {
      title: 'an agent that reads Markdown gets its refusal as Markdown',
      method: 'GET',
      host: 'partners.localhost',
      path: '/catalogue',
      headers: { accept: 'text/markdown' },
      expect: {
        ...refused,
        holds: ['content-type: text/markdown; charset=utf-8', 'error_code: 1020'],
      },
    },
    {
      title: 'a browser gets a page',
      method: 'GET',
      host: 'partners.localhost',
      path: '/catalogue',
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      expect: { ...refused, holds: ['content-type: text/html; charset=utf-8', '<!doctype html>'] },
    },
    {
      title: 'a log rule records the missing token and lets the request pass',
      method: 'POST',
      host: 'metrics.localhost',
      path: '/samples',
      headers: {},
      expect: { status: 200, decision: 'log no_valid_token' },
    },
    {
      title: 'a request that no operation lists passes, and is counted as unlisted',
      method: 'GET',
      host: 'api.localhost',
      path: '/about',
      headers: {},
      expect: { status: 200, decision: 'pass unlisted' },
    },
    {
      title: 'every edge error has a page',
      method: 'GET',
      host: 'api.localhost',
      path: '/cdn-cgi/error/1015',
      headers: { accept: 'application/json' },
      expect: {
        status: 429,
        decision: null,
        holds: ['retry-after: 30', '"error_name":"rate_limited"'],
      },
    },
  ]
}

/** After the log rule was turned into a block rule while the gate was running. */
export const STEP_AFTER_CHANGE: DemoStep = {
  title: 'the log rule now blocks: a changed policy is in force at once',
  method: 'POST',
  host: 'metrics.localhost',
  path: '/samples',
  headers: {},
  expect: { status: 401, decision: 'block no_valid_token' },
}
