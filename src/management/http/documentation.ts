import type { Message } from './message.js'

/** A host as a name or an address; WHATWG URLs let through more, such as quotes. */
const HOST = /^(?:[a-z\d_.-]{1,253}|\[[\da-f:.]+\])$/

/** Where an API is reached: its base path, and its public address where the operator gave one. */
export interface Reached {
  readonly base: string
  /** With the base path, without a slash at the end. */
  readonly publicUrl?: string | undefined
}

/**
 * Address of the API page as a caller sees it, by the URL of their request. A request may name any
 * host: one that is no plain name or address is not repeated, and the address is a relative one.
 */
export function docsAddress(requestUrl: string, { base, publicUrl }: Reached): string {
  if (publicUrl !== undefined) return `${publicUrl}/docs`
  const { origin, hostname } = new URL(requestUrl)
  return `${HOST.test(hostname) ? origin : ''}${base}/docs`
}

/** Name of the section of the API page about a code. It never changes. */
export const codeAnchor = (code: number): string => `code-${code}`

/** Messages with the address of what the page says about each. */
export const documented = (messages: readonly Message[], page: string): readonly Message[] =>
  messages.map(({ code, message, source }) => ({
    code,
    message,
    documentation_url: `${page}#${codeAnchor(code)}`,
    ...(source !== undefined && { source }),
  }))
