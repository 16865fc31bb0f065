import { z } from '@hono/zod-openapi'
import { moment, type Row } from '../store/index.js'

/** What an account may be. */
export const accountType = z.enum(['standard', 'enterprise'])

/** An account as answers show it. */
export const Account = z
  .object({
    id: z.string(),
    name: z.string(),
    type: accountType,
    created_on: z.string(),
    settings: z.object({}),
  })
  .openapi('Account')

export const accountWire = (row: Row<'accounts'>): z.input<typeof Account> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  created_on: moment(row.created_at),
  settings: {},
})
