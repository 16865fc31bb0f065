/** What marked lists are ordered by, and which of their rows make a list of their own. */
const LISTS = {
  operations: { key: 'created_at', scopes: ['zone_id'], whole: false },
  audit_log: { key: 'at', scopes: ['zone_id', 'account_id'], whole: true },
  zones: { key: 'name', scopes: ['account_id'], whole: true },
  accounts: { key: 'name', scopes: [], whole: true },
  api_tokens: { key: 'created_at', scopes: [], whole: true },
} as const

export type MarkedTable = keyof typeof LISTS

/** Rows of a table, all or those of a zone or an account, in the order of their keys, then ids. */
export interface MarkedList {
  readonly table: MarkedTable
  readonly scope?: { readonly column: 'zone_id' | 'account_id'; readonly id: string }
}

export const MARKED_TABLES = Object.keys(LISTS) as readonly MarkedTable[]

/** The column that the rows are in the order of. Ids settle who is first among equals. */
export const keyOf = (table: MarkedTable): 'created_at' | 'at' | 'name' => LISTS[table].key

/** The columns that lists of their own are made by, and undefined for the list of all rows. */
export function scopesOf(table: MarkedTable): readonly ('zone_id' | 'account_id' | undefined)[] {
  const { scopes, whole } = LISTS[table]
  return whole ? [...scopes, undefined] : scopes
}

/** How a list is called where its marks are kept. */
export const nameOf = ({
  table,
  scope,
}: {
  readonly table: string
  readonly scope?: MarkedList['scope']
}): string => (scope === undefined ? table : `${table} ${scope.column} ${scope.id}`)

/** Numbers as text in the order of numbers: 16 digits hold a time up to the year 2286. */
export const DIGITS = 16
export const MAX_KEY: number = 10 ** DIGITS - 1

export const isNumeric = (table: MarkedTable): boolean => keyOf(table) !== 'name'

/** Where the first stretch of every list begins: no key is before it. */
export const beginning = (table: MarkedTable): string =>
  isNumeric(table) ? '0'.repeat(DIGITS) : ''

export const encoded = (key: string | number): string =>
  typeof key === 'string' ? key : String(key).padStart(DIGITS, '0')

export const decoded = (table: MarkedTable, start: string): string | number =>
  isNumeric(table) ? Number(start) : start
