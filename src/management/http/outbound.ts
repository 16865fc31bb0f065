/**
 * The way out of the house: GET for an address that a stranger named. Whoever hands it in sees to it
 * that it leads to nothing inside and follows no redirect. It rejects with an error whose `code` is a
 * stable word and whose message repeats nothing that was answered.
 */
export type Outbound = (
  url: string,
  request: {
    readonly maxBytes: number
    readonly timeoutMs: number
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
  },
) => Promise<{
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  readonly body: Uint8Array
}>
