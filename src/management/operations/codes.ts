/** Codes of messages about OpenAPI documents: below 120300 they are refused, above they are told of. */
export const CODES = {
  invalid_document: 120200,
  no_operation: 120201,
  too_many: 120202,
  foreign_server: 120301,
  server_default: 120302,
  no_host: 120303,
  not_expressible: 120304,
  unresolved_reference: 120305,
  not_validated: 120306,
} as const
