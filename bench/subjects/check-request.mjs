import { fromJSON } from '@grpc/proto-loader'

const field = (id, type) => ({ id, type })
const SERVICE = 'envoy.service.auth.v3.Authorization'
const MESSAGES = {
  Authorization: {
    methods: { Check: { requestType: 'CheckRequest', responseType: 'CheckResponse' } },
  },
  CheckRequest: { fields: { attributes: field(1, 'Attributes') } },
  Attributes: { fields: { source: field(1, 'Peer'), request: field(4, 'Request') } },
  Peer: { fields: { address: field(1, 'Address') } },
  Address: { fields: { socketAddress: field(1, 'SocketAddress') } },
  SocketAddress: { fields: { address: field(2, 'string'), portValue: field(3, 'uint32') } },
  Request: { fields: { http: field(2, 'HttpRequest') } },
  HttpRequest: {
    fields: {
      id: field(1, 'string'),
      method: field(2, 'string'),
      headers: { ...field(3, 'string'), keyType: 'string' },
      path: field(4, 'string'),
      host: field(5, 'string'),
      scheme: field(6, 'string'),
      protocol: field(10, 'string'),
    },
  },
  CheckResponse: { fields: { status: field(1, 'Status'), okResponse: field(3, 'Ok') } },
  Status: { fields: { code: field(1, 'int32') } },
  Ok: { fields: {} },
}

const root = SERVICE.split('.')
  .slice(0, -1)
  .reduceRight((nested, name) => ({ nested: { [name]: nested } }), { nested: MESSAGES })

/** The call of Envoy's `ext_authz`, for those who ask: its `path` and what makes and reads messages. */
export const CHECK = fromJSON(root)[SERVICE].Check

/** The question that Envoy makes of a request, in bytes. */
export function checkRequest({ host, path, headers }) {
  const source = { address: { socketAddress: { address: '192.0.2.7', portValue: 40_000 } } }
  const pseudo = { ':authority': host, ':path': path, ':method': 'GET', ':scheme': 'https' }
  const http = {
    id: '1234567890',
    method: 'GET',
    headers: { ...pseudo, ...headers },
    path,
    host,
    scheme: 'https',
    protocol: 'HTTP/2',
  }
  return CHECK.requestSerialize({ attributes: { source, request: { http } } })
}
