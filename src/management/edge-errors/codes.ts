/** Codes of messages about edge errors: below 130300 they are refused, above they are told of. */
export const CODES = {
  /** Clients know this number: it is what a phase without a ruleset answers. */
  no_entry_point: 10003,
  invalid_expression: 130200,
  not_allowed: 130201,
  invalid_position: 130202,
  unknown_rule: 130203,
  not_unique: 130204,
  too_many: 130205,
  too_large: 130206,
  wrong_phase: 130207,
  invalid_page: 130208,
  page_not_fetched: 130209,
  rules_not_in_force: 130301,
  notice: 130302,
  page_notice: 130303,
  branding_notice: 130304,
} as const
