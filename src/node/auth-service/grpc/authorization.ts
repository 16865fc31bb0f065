/** One field of a message: its number on the wire (the name is ours alone) and its type. */
interface Field {
  readonly id: number
  readonly type: string
  readonly rule?: 'repeated'
}

const field = (id: number, type: string): Field => ({ id, type })
const list = (id: number, type: string): Field => ({ id, type, rule: 'repeated' })
const message = (fields: Readonly<Record<string, Field>>) => ({ fields })
const packages = (path: string, inner: object): object =>
  path.split('.').reduceRight((nested, name) => ({ nested: { [name]: nested } }), inner)

/** The service that Envoy asks. */
export const AUTHORIZATION = 'envoy.service.auth.v3.Authorization'

/**
 * The messages of Envoy's `ext_authz`, as far as they are read or written here, for protobuf.js;
 * fields that are not named are skipped. What comes from a client is read as bytes: HTTP has no
 * UTF-8. A map is the list of entries that it is on the wire, since a client chooses its keys.
 *
 * Numbers: Envoy's `service/auth/v3/external_auth.proto` and `attribute_context.proto`,
 * `config/core/v3/base.proto` and `address.proto`, `type/v3/http_status.proto`; `google/rpc/status.proto`.
 */
export const PROTOCOL: object = packages('envoy.service.auth.v3', {
  nested: {
    Authorization: {
      methods: { Check: { requestType: 'CheckRequest', responseType: 'CheckResponse' } },
    },

    CheckRequest: message({ attributes: field(1, 'Attributes') }),
    Attributes: message({ source: field(1, 'Peer'), request: field(4, 'Request') }),
    Peer: message({ address: field(1, 'Address') }),
    Address: message({ socket: field(1, 'SocketAddress') }),
    SocketAddress: message({ address: field(2, 'string') }),
    Request: message({ http: field(2, 'HttpRequest') }),
    HttpRequest: message({
      method: field(2, 'bytes'),
      headers: list(3, 'Line'),
      path: field(4, 'bytes'),
      host: field(5, 'bytes'),
      scheme: field(6, 'bytes'),
      query: field(7, 'bytes'),
      fragment: field(8, 'bytes'),
      protocol: field(10, 'bytes'),
      rawHeaders: field(13, 'Lines'),
    }),
    Lines: message({ lines: list(1, 'Line') }),
    Line: message({ name: field(1, 'bytes'), value: field(2, 'bytes'), raw: field(3, 'bytes') }),

    CheckResponse: message({
      status: field(1, 'Status'),
      denied: field(2, 'Denied'),
      ok: field(3, 'Ok'),
    }),
    Status: message({ code: field(1, 'int32') }),
    Denied: message({
      status: field(1, 'HttpStatus'),
      headers: list(2, 'HeaderOption'),
      body: field(3, 'string'),
    }),
    HttpStatus: message({ code: field(1, 'int32') }),
    Ok: message({ headers: list(2, 'HeaderOption'), headersToRemove: list(5, 'string') }),
    HeaderOption: message({ header: field(1, 'Header'), append: field(2, 'Append') }),
    Header: message({ key: field(1, 'string'), value: field(2, 'string') }),
    Append: message({ value: field(1, 'bool') }),
  },
})
