import { ApiError } from '../http/index.js'
import { CODES } from './codes.js'
import { LIMITS } from './limits.js'
import type { Outbound } from '../http/index.js'

const TIMEOUT_MS = 10_000
const HTML = /^text\/html *(?:;|$)/i
const CHARSET = /; *charset *= *"?([\w-]*)/i

/**
 * The HTML at an address, as it is now.
 * @throws {ApiError} 400 with the reason why it is not to be had
 */
export async function fetchPage(url: string, outbound: Outbound | undefined): Promise<string> {
  if (outbound === undefined) throw refusal('no page is fetched here: send it as content')
  const { status, headers, body } = await outbound(url, {
    maxBytes: LIMITS.page,
    timeoutMs: TIMEOUT_MS,
    headers: { accept: 'text/html' },
  }).catch((cause: unknown) => {
    throw refusal(`the page was not fetched: ${reasonOf(cause)}`)
  })
  if (status !== 200) throw refusal(`the page was not fetched: the status is ${status}, not 200`)
  const type = headers.get('content-type') ?? ''
  if (!HTML.test(type)) throw refusal('expected a page of Content-Type: text/html')
  const [, charset = 'utf-8'] = CHARSET.exec(type) ?? []
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) throw refusal('expected a page in UTF-8')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw refusal('expected a page in UTF-8')
  }
}

function reasonOf(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return typeof code === 'string' && typeof message === 'string' ? message : 'there is no answer'
}

const refusal = (text: string): ApiError => new ApiError(400, CODES.page_not_fetched, text, '/url')
