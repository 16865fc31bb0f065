import { z } from '@hono/zod-openapi'

const INSTANT =
  /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.(\d{1,9}))?)?(?:[Zz]|[+-]\d\d:\d\d))?$/

/**
 * A date (its first moment in UTC) or a time with its offset, in RFC 3339, as epoch microseconds. All
 * six digits of a second count, so that a time out of an answer finds its own line again.
 */
export function instant(text: string): number | undefined {
  const [whole, fraction = ''] = INSTANT.exec(text) ?? []
  if (whole === undefined) return undefined
  const seconds = Date.parse(whole.replace(/\.\d+/, '').replace(' ', 'T').toUpperCase())
  return Number.isNaN(seconds)
    ? undefined
    : seconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

/** The same in a query. */
export const instantQuery = z
  .string()
  .transform((text, context) => {
    const at = instant(text)
    if (at !== undefined) return at
    context.addIssue({
      code: 'custom',
      message: 'expected a date or time such as 2026-01-31 or 2026-01-31T12:00:00Z',
    })
    return z.NEVER
  })
  .openapi({ type: 'string', example: '2026-01-31T12:00:00Z' })
