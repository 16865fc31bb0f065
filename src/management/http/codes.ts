/** Codes of messages that any endpoint may answer with. Areas have tables of their own. */
export const CODES = {
  authentication: 10000,
  malformed_json: 10400,
  forbidden: 10403,
  not_found: 10404,
  method_not_allowed: 10405,
  conflict: 10409,
  too_large: 10413,
  unsupported_media_type: 10415,
  invalid_value: 10422,
  unknown_member: 10423,
  internal: 10500,
  unavailable: 10503,
} as const
