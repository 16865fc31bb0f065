/** Whose side a fault is on; it decides the blame, the tone of the advice and who has to act. */
export type Family = 'client' | 'code' | 'edge' | 'law' | 'origin' | 'policy' | 'quota' | 'setup'

interface Wording {
  /** Second sentence of `detail`: the responsible party. */
  readonly blame: string
  /** Frame of the advice around the remedy of the code. */
  readonly before: string
  readonly after: string
  readonly ownerActs: boolean
}

const OPERATOR_MUST = 'The operator of this site must '
const REPORT = '; send them the ray ID if this goes on.'

/** Wording shared by all codes of a family, so that a row holds only what is its own. */
export const FAMILIES: Readonly<Record<Family, Wording>> = {
  client: {
    blame: 'The cause is on the side of your client; the site and the edge work.',
    before: '',
    after: '',
    ownerActs: false,
  },
  code: {
    blame: 'The cause is code that the operator of this site runs at the edge, not your request.',
    before: OPERATOR_MUST,
    after: REPORT,
    ownerActs: true,
  },
  edge: {
    blame: 'The cause is the edge; neither your request nor the operator of this site is at fault.',
    before: '',
    after: ' If it happens again, wait longer each time.',
    ownerActs: false,
  },
  law: {
    blame: 'The reason is a legal demand that binds the operator of this site, not a malfunction.',
    before: 'Only the operator of this site can say more; quote the ray ID.',
    after: '',
    ownerActs: true,
  },
  origin: {
    blame: 'The cause is the server of the operator of this site; your client and the edge work.',
    before: OPERATOR_MUST,
    after: REPORT,
    ownerActs: true,
  },
  policy: {
    blame: 'The operator of this site decided so on purpose; it is not a malfunction.',
    before: '',
    after: ' Only the operator of this site can allow it; quote the ray ID.',
    ownerActs: true,
  },
  quota: {
    blame: 'The limit belongs to the plan of the operator of this site, not to your client.',
    before: OPERATOR_MUST,
    after: '; come back later.',
    ownerActs: true,
  },
  setup: {
    blame: 'The cause is how the operator of this site set it up, not your request.',
    before: OPERATOR_MUST,
    after: REPORT,
    ownerActs: true,
  },
}
