/** Edge errors of a zone. */
export interface EdgeErrorTables {
  readonly error_rulesets: ErrorRulesetTable
  readonly error_pages: ErrorPageTable
  readonly error_branding: ErrorBrandingTable
}

/** The custom error rules of a zone: one set, saved as a whole. */
interface ErrorRulesetTable {
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
interface ErrorPageTable {
  zone_id: string
  identifier: string
  /** Where the HTML was fetched from; null when it was sent. */
  url: string | null
  content: string
  created_at: number
  updated_at: number
}

/** How the error pages of a zone look that nobody wrote. */
interface ErrorBrandingTable {
  zone_id: string
  /** JSON. */
  branding: string
  updated_at: number
}
