/** Token configurations: where tokens are, and the keys that sign them. */
export interface TokenTables {
  readonly token_configurations: TokenConfigurationTable
  readonly token_keys: TokenKeyTable
  readonly remote_key_sets: RemoteKeySetTable
  readonly secrets: SecretTable
}

interface TokenConfigurationTable {
  zone_id: string
  id: string
  title: string
  description: string
  /** JSON: list of expressions. */
  token_sources: string
  created_at: number
  updated_at: number
}

interface TokenKeyTable {
  zone_id: string
  configuration_id: string
  alg: string
  kid: string
  /** Place in the key set, from 0. */
  position: number
  /** JSON: the key as answers show it. */
  public_key: string
  /** Of a symmetric key: where its secret lies sealed. */
  secret_id: string | null
}

/** The key set that a configuration has elsewhere, and how it stands with it. */
interface RemoteKeySetTable {
  zone_id: string
  configuration_id: string
  uri: string
  /** JSON: the keys in force, public ones only. Never empty again after a good answer until expired. */
  keys: string
  /** JSON: what there is to tell of single keys of the last good answer. */
  findings: string
  /** JSON: which keys came and went last, and when. */
  last_change: string | null
  etag: string | null
  last_modified: string | null
  /** The last good answer; null when there was none yet. */
  fetched_at: number | null
  /** Until when that answer is fresh. */
  expires_at: number | null
  next_fetch_at: number
  /** Until then a fetch is under way in some process; its name as well. */
  claimed_until: number
  /** When the budget of fetches that strangers cause is whole again. */
  budget_level: number
  /** Since the last good answer. */
  failures: number
  /** JSON: code, message and when. */
  last_error: string | null
}

/** Secret text, sealed. Rows are written once: a changed secret is a new row. */
interface SecretTable {
  zone_id: string
  id: string
  sealed: string
  /** The last version of the policy that names it; null: the newest one does. */
  last_version: number | null
  created_at: number
}
