import type { KeptPolicy } from './policy-cache.js'

/** Management sends a heartbeat each 15 s: a stream that is silent for longer is dead. */
const SILENCE_MS = 40_000
const ANSWER_MS = 10_000
/** Far beyond any policy: an answer without end would take all memory. */
const MAX_POLICY_BYTES = 256 * 2 ** 20

/** How management is reached. */
export interface PolicyClientOptions {
  /** `…/zones/{zone_id}/gate/policy` */
  readonly url: string
  readonly token: string
  readonly fetch: typeof fetch
  /** Ends every call under way. */
  readonly signal: AbortSignal
}

/** An answer of management that is no policy. */
export class ManagementError extends Error {
  override readonly name = 'ManagementError'
  /** Of the answer; `undefined` when there was none to speak of. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** Which version it is. */
export type PolicyStamp = Pick<KeptPolicy, 'version' | 'hash'>

/** What a gate asks of management. */
export interface PolicyClient {
  /** The policy in force; without `policy` when it has one of these hashes. */
  get(known: readonly string[]): Promise<PolicyStamp & { readonly policy?: object }>
  /** Calls `heard` with each announced version; resolves when the stream ends. */
  hear(heard: (version: number) => void): Promise<void>
  report(report: object): Promise<void>
  /** Tells of keys that tokens name in vain. */
  unknownKeys(report: object): Promise<void>
}

/** Talks to the endpoints of gates. Every method rejects when management is away. */
export function policyClient({ url, token, fetch, signal }: PolicyClientOptions): PolicyClient {
  async function ask(
    address: string | URL,
    init: Omit<RequestInit, 'headers'>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const response = await fetch(address, {
      ...init,
      // A token is for the address that it was given for.
      redirect: 'error',
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
    if (response.ok || response.status === 304) return response
    await response.body?.cancel()
    throw new ManagementError(`management answers ${response.status}`, response.status)
  }

  const tell = (path: string, body: object): Promise<void> =>
    bounded(signal, ANSWER_MS, async (inTime) => {
      const init = { method: 'POST', body: JSON.stringify(body), signal: inTime }
      const headers = { 'content-type': 'application/json' }
      const response = await ask(new URL(path, url), init, headers)
      await response.body?.cancel()
    })

  return {
    get: (known) =>
      bounded(signal, ANSWER_MS, async (inTime) => {
        const tags = known.map((hash) => `"${hash}"`).join(', ')
        const headers = { accept: 'application/json', ...(tags && { 'if-none-match': tags }) }
        const response = await ask(url, { signal: inTime }, headers)
        const [, hash] = /^(?:W\/)?"([^"]+)"$/.exec(response.headers.get('etag') ?? '') ?? []
        const version = Number(response.headers.get('x-policy-version') ?? Number.NaN)
        if (hash === undefined || !Number.isSafeInteger(version))
          throw new ManagementError(`${url} is not where policies are: no version in the answer`)
        if (response.status === 304) return { version, hash }
        const body = parsed(await textOf(response, inTime))
        if (body === undefined)
          throw new ManagementError(`${url} is not where policies are: no object in the answer`)
        const { version: _told, ...policy } = body
        return { version, hash, policy }
      }),

    hear: (heard) =>
      bounded(signal, SILENCE_MS, async (inTime, timer) => {
        const headers = { accept: 'text/event-stream' }
        const response = await ask(new URL('events', url), { signal: inTime }, headers)
        const decoder = new TextDecoder()
        let text = ''
        for await (const piece of piecesOf(response, inTime)) {
          timer.refresh()
          const lines = (text + decoder.decode(piece, { stream: true })).split('\n')
          text = (lines.pop() ?? '').slice(0, 10_000)
          for (const line of lines) if (line.startsWith('id: ')) heard(Number(line.slice(4)))
        }
      }),

    report: (report) => tell('instances', report),
    unknownKeys: (report) => tell('unknown_keys', report),
  }
}

/** The body of an answer, piece by piece until `signal`: an aborted fetch does not always end it. */
async function* piecesOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  const end = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    end()
  }
}

async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of piecesOf(response, signal)) {
    size += piece.length
    if (size > MAX_POLICY_BYTES)
      throw new ManagementError(`more than ${MAX_POLICY_BYTES} bytes in the answer`)
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}

/** Runs a call that ends with `signal`, or when the time is over that its timer leaves it. */
async function bounded<Result>(
  signal: AbortSignal,
  milliseconds: number,
  run: (inTime: AbortSignal, timer: NodeJS.Timeout) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController()
  const end = () => own.abort()
  const late = () => own.abort(new ManagementError(`no answer in ${milliseconds / 1000} s`))
  const timer = setTimeout(late, milliseconds)
  const over = new Promise<never>((_, reject) =>
    own.signal.addEventListener('abort', () => reject(own.signal.reason as Error)),
  )
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await Promise.race([run(own.signal, timer), over])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** The message of a parser would repeat the text around the fault, which may be a secret. */
function parsed(text: string): { readonly version?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
