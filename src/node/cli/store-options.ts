import type { StorePlace } from '../store/index.js'
import { UsageError } from './command.js'

/** Options of every command that opens the store. */
export const STORE_OPTIONS = {
  data: { type: 'string' },
  database: { type: 'string' },
} as const

/** How they are explained. */
export const STORE_HELP = `  --data DIR           data folder: database and key of the secrets
  --database URL       postgres://… in place of the folder's own database`

/**
 * Where the store is.
 * @throws {UsageError} which never repeats an address: it may hold a password.
 */
export function storePlace(values: {
  readonly data?: string | undefined
  readonly database?: string | undefined
}): StorePlace {
  const { data, database } = values
  if (data === undefined && database === undefined)
    throw new UsageError('expected --data DIR or --database URL')
  if (data === '') throw new UsageError('expected a folder after --data')
  if (database !== undefined && !/^postgres(ql)?:\/\//.test(database))
    throw new UsageError('expected an address such as postgres://… after --database')
  return { data, database, secretKey: process.env['PORTCULLIS_SECRET_KEY'] }
}
