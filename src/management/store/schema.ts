import type { Generated } from 'kysely'

/**
 * The tables. Times are epoch microseconds, flags 0 or 1, JSON is text, so that SQLite and
 * Postgres hold the same. What belongs to a zone begins with `zone_id` in every index.
 */
export interface Schema {
  readonly accounts: AccountTable
  readonly zones: ZoneTable
  readonly api_tokens: ApiTokenTable
  readonly operations: OperationTable
  readonly api_schemas: ApiSchemaTable
  readonly token_configurations: TokenConfigurationTable
  readonly token_keys: TokenKeyTable
  readonly remote_key_sets: RemoteKeySetTable
  readonly secrets: SecretTable
  readonly rules: RuleTable
  readonly rule_hosts: RuleHostTable
  readonly rule_configurations: RuleConfigurationTable
  readonly policy_versions: PolicyVersionTable
  readonly policy_parts: PolicyPartTable
  readonly gate_instances: GateInstanceTable
  readonly error_rulesets: ErrorRulesetTable
  readonly error_pages: ErrorPageTable
  readonly error_branding: ErrorBrandingTable
  readonly audit_log: AuditTable
  readonly list_marks: ListMarkTable
}

export interface AccountTable {
  id: string
  name: string
  type: string
  created_at: number
  updated_at: number
}

export interface ZoneTable {
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

export interface ApiTokenTable {
  id: string
  name: string
  /** SHA-256 of the token in hexadecimal; the token itself is nowhere. */
  hash: string
  /** The beginning of `hash`: what a token is looked up by before hashes are compared. */
  lookup: string
  /** JSON: the policies as given. */
  policies: string
  status: string
  not_before: number | null
  expires_at: number | null
  last_used_at: number | null
  created_at: number
  updated_at: number
  created_by: string | null
}

export interface OperationTable {
  zone_id: string
  id: string
  method: string
  host: string
  endpoint: string
  /** Hash of what it matches: two operations of one zone never share it. */
  match_key: string
  created_at: number
}

/** OpenAPI documents as they were uploaded. */
export interface ApiSchemaTable {
  zone_id: string
  id: string
  name: string
  kind: string
  source: string
  validation_enabled: number
  created_at: number
  updated_at: number
}

export interface TokenConfigurationTable {
  zone_id: string
  id: string
  title: string
  description: string
  /** JSON: list of expressions. */
  token_sources: string
  created_at: number
  updated_at: number
}

export interface TokenKeyTable {
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
export interface RemoteKeySetTable {
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
export interface SecretTable {
  zone_id: string
  id: string
  sealed: string
  /** The last version of the policy that names it; null: the newest one does. */
  last_version: number | null
  created_at: number
}

export interface RuleTable {
  zone_id: string
  id: string
  /** Order of precedence, from 1 without gaps. */
  position: number
  title: string
  description: string
  action: string
  enabled: number
  expression: string
  /** JSON, as given. */
  selector: string
  modified_by: string
  created_at: number
  updated_at: number
}

/** Which hosts (canonical) a rule includes: what the list of rules is filtered by. */
export interface RuleHostTable {
  zone_id: string
  host: string
  rule_id: string
}

/** Which configurations a rule names. */
export interface RuleConfigurationTable {
  zone_id: string
  configuration_id: string
  rule_id: string
}

export interface PolicyVersionTable {
  zone_id: string
  version: number
  /** SHA-256 over the hashes of the parts. */
  hash: string
  /** JSON: hash by name of the part. */
  parts: string
  actor_id: string
  created_at: number
}

/** A part of a zone's policy, or a piece of one, named by its hash and so written once. Holds no secret. */
export interface PolicyPartTable {
  zone_id: string
  hash: string
  body: string
  /** The last version that is made of it; null: the newest one is. */
  last_version: number | null
}

/** Gates that follow a zone's policy, as they last told of themselves. */
export interface GateInstanceTable {
  zone_id: string
  instance: string
  /** What it runs. */
  version: number
  hash: string
  /** JSON: which version it refused and why. */
  refused: string | null
  started_at: number
  last_seen: number
}

/** The custom error rules of a zone: one set, saved as a whole. */
export interface ErrorRulesetTable {
  zone_id: string
  id: string
  name: string
  description: string
  /** Counted from 1, one more with each change. */
  version: number
  /** JSON: the rules in their order. */
  rules: string
  created_at: number
  updated_at: number
}

/** Error pages by the errors that they are for. */
export interface ErrorPageTable {
  zone_id: string
  identifier: string
  /** Where the HTML was fetched from; null when it was sent. */
  url: string | null
  content: string
  created_at: number
  updated_at: number
}

/** How the error pages of a zone look that nobody wrote. */
export interface ErrorBrandingTable {
  zone_id: string
  /** JSON. */
  branding: string
  updated_at: number
}

export interface AuditTable {
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

/** Stretches of lists, in their order: what finds a page of a long list. */
export interface ListMarkTable {
  /** Which list. */
  list: string
  /** The lowest key that may lie in the stretch; numbers as text in their order. */
  start: string
  /** Rows in it. */
  n: number
  /** Of the first stretch: how often the list has changed. */
  version: Generated<number>
}
