import type { Generated } from 'kysely'

/** Zones and the accounts that they belong to. */
export interface ZoneTables {
  readonly accounts: AccountTable
  readonly zones: ZoneTable
}

interface AccountTable {
  id: string
  name: string
  type: 'standard' | 'enterprise'
  created_at: number
  updated_at: number
}

interface ZoneTable {
  id: string
  account_id: string
  /** Canonical host name, unique. */
  name: string
  type: string
  paused: number
  upstream: string | null
  /** Name of the plan; `free` unless it is said. */
  plan: Generated<string>
  /** JSON: the settings of the gate's policy. */
  settings: string
  /** JSON: the named lists of the gate's policy. */
  lists: string
  /** Of the newest row in `policy_versions`. */
  policy_version: number
  /** Rows in `operations` and `rules`: counting 100,000 takes longer than reading a page of them. */
  operation_count: number
  rule_count: number
  created_at: number
  updated_at: number
}
