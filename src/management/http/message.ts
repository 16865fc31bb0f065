import { z } from '@hono/zod-openapi'

/** A message of the envelope (spec 2.1). */
export interface Message {
  readonly code: number
  readonly message: string
  readonly documentation_url?: string
  readonly source?: { readonly pointer?: string }
}

export const Message = z
  .object({
    code: z.number().int(),
    message: z.string(),
    documentation_url: z.string().optional(),
    source: z.object({ pointer: z.string().optional() }).optional(),
  })
  .openapi('Message')

/** A message about a place in the request, where there is one. */
export function message(code: number, text: string, pointer?: string): Message {
  return { code, message: text, ...(pointer !== undefined && { source: { pointer } }) }
}

/** A JSON pointer (RFC 6901) made of names of members and positions in lists. */
export const pointerTo = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
