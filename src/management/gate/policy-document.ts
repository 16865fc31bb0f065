/** A version of a zone's policy as a gate takes it: the document is plain JSON, secrets and all. */
export interface PolicyDocument {
  readonly version: number
  readonly hash: string
  readonly zone: object
}

/** Gives the newest version of a zone's policy; `undefined` when there is no such zone. */
export type PolicyOf = (zoneId: string) => Promise<PolicyDocument | undefined>
