import { z } from '@hono/zod-openapi'

/** An id that the caller chooses. */
export const givenId = z.string().regex(/^[\w-]{1,64}$/, 'expected letters, digits, _ and -')

/** Accounts and zones are named by 32 hexadecimal digits. */
export const newHexId = (newId: () => string): string => newId().replaceAll('-', '')
