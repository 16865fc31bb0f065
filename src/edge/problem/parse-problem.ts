import type { Problem } from './problem.js'

/** What a client learns from an edge error, in whichever form it came. */
export interface ReadProblem extends Pick<
  Problem,
  'error_code' | 'error_name' | 'status' | 'ray_id' | 'zone' | 'timestamp' | 'title' | 'detail'
> {
  readonly error_category: string
  readonly retryable: boolean
  /** Seconds; null when waiting does not help. */
  readonly retry_after: number | null
  readonly owner_action_required: boolean
  readonly what_you_should_do: string
}

/** The part of a `Response` that is read. */
export interface ReadableResponse {
  readonly headers: Pick<Headers, 'get'>
  readonly body: ReadableStream<Uint8Array> | null
}

/** No edge error is nearly as long. */
const MOST_BYTES = 65_536
const MOST_SECONDS = 31_536_000

/**
 * Reads an edge error back from its JSON, problem+json or Markdown form. Null for anything else: a
 * page, an origin's own error, more than 65,536 bytes, or garbage. Never rejects. The body is used
 * up, except where the media type already tells that there is nothing to read.
 *
 * @example
 * const problem = response.ok ? null : await parseProblem(response)
 * if (problem?.retryable) await pause(problem.retry_after ?? 30)
 */
export async function parseProblem(response: ReadableResponse): Promise<ReadProblem | null> {
  try {
    const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';', 1)
    const read = READERS.get(type.trim())
    const text = read && (await textOf(response.body))
    const members = read && text !== undefined ? read(text) : undefined
    return members === undefined ? null : problemOf(members)
  } catch {
    // A connection that broke, bytes that are no UTF-8, JSON that is none: no problem to be read.
    return null
  }
}

type Members = ReadonlyMap<string, unknown>

const json = (text: string): Members => new Map(Object.entries(JSON.parse(text) as object))

const READERS: ReadonlyMap<string, (text: string) => Members | undefined> = new Map([
  ['application/json', json],
  ['application/problem+json', json],
  ['text/markdown', markdown],
])

async function textOf(body: ReadableResponse['body']): Promise<string | undefined> {
  if (body === null) return undefined
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > MOST_BYTES) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** What stands between the parts of the Markdown form: front matter, title, detail, advice, footer. */
const SEAMS = [
  '\n---\n\n# ',
  '\n\n## What Happened\n\n',
  '\n\n## What You Should Do\n\n',
  '\n\n---\n',
] as const

const MEMBER = /^([a-z_]+): +(.+)$/

function markdown(text: string): Members | undefined {
  const parts: string[] = []
  let rest = text.replaceAll('\r\n', '\n')
  if (!rest.startsWith('---\n')) return undefined
  for (const seam of SEAMS) {
    const at = rest.indexOf(seam)
    if (at < 0) return undefined
    parts.push(rest.slice(0, at))
    rest = rest.slice(at + seam.length)
  }
  const [front = '', title = '', detail = '', advice = ''] = parts
  const members = new Map<string, unknown>()
  for (const line of front.split('\n')) {
    const [, name = '', value = ''] = MEMBER.exec(line) ?? []
    members.set(name, scalar(value))
  }
  return members
    .set('title', plain(title))
    .set('detail', plain(detail))
    .set('what_you_should_do', advice)
}

/** A scalar of YAML as front matter has them: quoted, or plain on one line. */
function scalar(text: string): unknown {
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  return /^(?:".*"|-?[0-9]{1,15}|true|false|null)$/.test(text) ? JSON.parse(text) : text
}

const plain = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

/** A problem only if it says of itself that it is one (spec 7.2). */
function problemOf(members: Members): ReadProblem | null {
  const text = (name: string): string => {
    const value = members.get(name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const error_code = members.get('error_code')
  const status = members.get('status')
  const retryable = members.get('retryable')
  const isOne = members.get('cloudflare_error') === true && typeof retryable === 'boolean'
  if (!isOne || !isCode(error_code) || !isCode(status)) return null
  return {
    error_code,
    error_name: text('error_name'),
    error_category: text('error_category'),
    status,
    ray_id: text('ray_id'),
    timestamp: text('timestamp'),
    zone: text('zone'),
    title: text('title'),
    detail: text('detail'),
    retryable,
    retry_after: retryable ? seconds(members.get('retry_after')) : null,
    owner_action_required: members.get('owner_action_required') === true,
    what_you_should_do: text('what_you_should_do'),
  }
}

const isCode = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 9999

const seconds = (value: unknown): number | null =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_SECONDS
    ? Number(value)
    : null
