/** Who may do what, and who did what. */
export interface AccessTables {
  readonly api_tokens: ApiTokenTable
  readonly audit_log: AuditTable
}

interface ApiTokenTable {
  id: string
  name: string
  /** SHA-256 of the token in hexadecimal; the token itself is nowhere. */
  hash: string
  /** The beginning of `hash`: what a token is looked up by before hashes are compared. */
  lookup: string
  /** JSON: the policies as given. */
  policies: string
  /**
   * A digest of what it may do where: equal only for tokens that may do the same. Empty when it is
   * not known; the database empties it when `policies` change.
   */
  reach: string
  status: string
  not_before: number | null
  expires_at: number | null
  last_used_at: number | null
  created_at: number
  updated_at: number
  created_by: string | null
}

interface AuditTable {
  id: string
  account_id: string | null
  zone_id: string | null
  at: number
  actor_id: string
  actor_name: string
  request_id: string
  action: string
  object_type: string
  object_id: string
  /** JSON without secrets; null where there was nothing before. */
  before: string | null
  after: string | null
}
