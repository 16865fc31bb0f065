/** Codes of messages about token validation. Below 110200 they are the key checker's own. */
export const CODES = {
  invalid_key: 110200,
  invalid_source: 110201,
  invalid_expression: 110202,
  invalid_selector: 110203,
  invalid_position: 110204,
  too_many: 110205,
  in_use: 110206,
  source_notice: 110301,
  expression_notice: 110302,
  covers_nothing: 110303,
  never_applies: 110304,
  exclude_without_effect: 110305,
  always_true: 110306,
  always_false: 110307,
  preflight_blocked: 110308,
  uncovered_operations: 110309,
} as const
