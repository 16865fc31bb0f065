/** A message of the envelope (spec 2.1). */
export interface Message {
  readonly code: number
  readonly message: string
  readonly documentation_url?: string
  readonly source?: { readonly pointer?: string }
}

/** A message about a place in the request, where there is one. */
export function message(code: number, text: string, pointer?: string): Message {
  return { code, message: text, ...(pointer !== undefined && { source: { pointer } }) }
}

/** Names that schemas know are shorter, and secrets are longer. */
const LONGEST_NAME = 40

/**
 * A name of a stranger as messages repeat it. A long one may be a secret that stands in a wrong place;
 * paths, which documents use as names, are none.
 */
export const shownName = (name: string): string =>
  name.length > LONGEST_NAME && !name.startsWith('/') ? '…' : name

/** A JSON pointer (RFC 6901) made of names of members and positions in lists. */
export const pointerTo = (steps: readonly PropertyKey[]): string =>
  steps
    .map((step) => `/${shownName(String(step)).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
