/** One request as the gate sees it. Values are as received: one character per byte. */
export interface GateRequest {
  readonly method: string
  /** Host header or authority, as sent. */
  readonly host: string
  /** Request target as sent: `/path?query`. */
  readonly target: string
  readonly secure?: boolean
  /** Address of the client, already resolved by whoever embeds the gate. */
  readonly ip?: string
  /** `HTTP/1.1`; without it rules find no `http.request.version`. */
  readonly httpVersion?: string | undefined
  /**
   * First line of a header; `name` in lower case. Cookie lines come joined by `; `. A text of its own,
   * as servers and `Headers` give it: of a slice, a remembered token would keep the whole.
   */
  header(name: string): string | undefined
  /** Every header line in order, names in their original case. */
  headers(): Iterable<readonly [string, string]>
}
