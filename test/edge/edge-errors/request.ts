import type { GateRequest } from '../../../src/edge/index.js'

/** A request as a gate sees it: GET of `/cart?x=1` on shop.example, unless told otherwise. */
export function request(
  headers: readonly (readonly [name: string, value: string])[] = [],
  more: Partial<Pick<GateRequest, 'method' | 'host' | 'target' | 'ip'>> = {},
): GateRequest {
  return {
    method: 'GET',
    host: 'shop.example',
    target: '/cart?x=1',
    secure: true,
    httpVersion: 'HTTP/1.1',
    ...more,
    header: (name) => headers.find(([sent]) => sent.toLowerCase() === name)?.[1],
    headers: () => headers,
  }
}
