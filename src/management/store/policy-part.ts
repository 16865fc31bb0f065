/** What a zone's policy is made of. Each part is stored once for all versions that share it. */
export const POLICY_PARTS = [
  'zone',
  'token_configurations',
  'operations',
  'rules',
  'edge_errors',
] as const

export type PolicyPart = (typeof POLICY_PARTS)[number]

/**
 * Parts by name, parsed. Of a symmetric key the secret's id stands in place of the secret. A
 * version from before there was a part has `undefined` for it.
 */
export type PolicyParts = Readonly<Record<PolicyPart, unknown>>
