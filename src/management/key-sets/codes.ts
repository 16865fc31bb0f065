/** Codes of messages about remote key sets. */
export const CODES = {
  invalid_uri: 110401,
  asked_too_often: 110402,
  no_keys_yet: 110403,
} as const
