import type { GateRequest } from '../../edge/gate/index.js'
import { ApiError } from '../http/index.js'
import { CODES } from './codes.js'
import type { PreviewInput } from './preview-schema.js'

/**
 * The request of a preview as a gate would see it.
 * @throws {ApiError} 400 for one that another zone answers
 */
export function askedRequest({ request, accept }: PreviewInput, zone: string): GateRequest {
  const url = new URL(request.url ?? `https://${zone}/`)
  const { hostname, host, pathname, search, protocol } = url
  if (hostname !== zone && !hostname.endsWith(`.${zone}`))
    throw new ApiError(400, CODES.not_allowed, `expected an address of ${zone}`, '/request/url')
  const given = request.headers.filter(
    ({ name }) => accept === undefined || name.toLowerCase() !== 'accept',
  )
  const headers = [
    ...given.map(({ name, value }) => [name, value] as const),
    ...(typeof accept === 'string' ? [['Accept', accept] as const] : []),
  ]
  return {
    method: request.method,
    host,
    target: pathname + search,
    secure: protocol === 'https:',
    httpVersion: 'HTTP/1.1',
    ...(request.ip !== undefined && { ip: request.ip }),
    header: (wanted) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1],
    headers: () => headers,
  }
}
