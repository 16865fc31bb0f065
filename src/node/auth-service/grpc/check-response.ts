import { isUtf8 } from 'node:buffer'
import type { HeaderEdits } from '../../../edge/embed/index.js'
import type { Answer } from '../../proxy/index.js'
import { headerChanges } from '../header-changes.js'

/** The answer before it is encoded. See `PROTOCOL`. */
export interface CheckResponse {
  readonly status: { readonly code: number }
  readonly denied?: {
    readonly status: { readonly code: number }
    readonly headers: readonly HeaderOption[]
    readonly body: string
  }
  readonly ok?: {
    readonly headers: readonly HeaderOption[]
    readonly headersToRemove: readonly string[]
  }
}

interface HeaderOption {
  readonly header: { readonly key: string; readonly value: string }
  /** Always said: Envoy's default is another one in each of its versions. */
  readonly append: { readonly value: boolean }
}

/** Codes of gRPC. */
const OK = 0
const INTERNAL = 13
const PERMISSION_DENIED = 7
const UNAUTHENTICATED = 16

/** The request may pass. Undefined when a header's bytes are no UTF-8: gRPC cannot carry them. */
export function passed(edits: HeaderEdits | null): CheckResponse | undefined {
  const { set, gone } = headerChanges(edits)
  const headers: HeaderOption[] = []
  for (const [name, value] of set) {
    const bytes = Buffer.from(value, 'latin1')
    if (!isUtf8(bytes)) return undefined
    headers.push(optionOf(name, bytes.toString(), false))
  }
  return { status: { code: OK }, ok: { headers, headersToRemove: gone } }
}

/** The request may not pass; the client gets the answer, but for HEAD without its body. */
export function refused({ status, headers, body }: Answer, method: string): CheckResponse {
  const named = new Set<string>()
  const options: HeaderOption[] = []
  for (const [name, value] of headers) {
    // Envoy frames the body itself.
    if (name.toLowerCase() === 'content-length') continue
    options.push(optionOf(name, Buffer.from(value, 'latin1').toString(), named.has(name)))
    named.add(name)
  }
  return {
    status: { code: codeOf(status) },
    denied: { status: { code: status }, headers: options, body: method === 'HEAD' ? '' : body },
  }
}

function codeOf(status: number): number {
  if (status === 401) return UNAUTHENTICATED
  return status === 500 ? INTERNAL : PERMISSION_DENIED
}

const optionOf = (name: string, value: string, append: boolean): HeaderOption => ({
  header: { key: name.toLowerCase(), value },
  append: { value: append },
})
