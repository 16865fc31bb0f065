/** Whose side a fault is on; it decides the blame, the tone of the advice and who has to act. */
export type Family = 'client' | 'code' | 'edge' | 'law' | 'origin' | 'policy' | 'quota' | 'setup'

/** A station on the way of a request. */
export type Side = 'client' | 'edge' | 'site'

interface Wording {
  /** Where the cause lies. */
  readonly side: Side
  /** Second sentence of `detail`: the responsible party. */
  readonly blame: string
  readonly ownerActs: boolean
  /** Frame of the advice around the remedy of the code, and the remedy of codes without one. */
  readonly before: string
  readonly remedy: string
  readonly after: string
}

const OPERATOR_MUST = 'The operator of this site must '
const REPORT = '; send them the ray ID if this happens again.'

function operatorMust(remedy: string, blame: string, after: string = REPORT): Wording {
  return { side: 'site', blame, ownerActs: true, before: OPERATOR_MUST, remedy, after }
}

/** Wording shared by all codes of a family, so that a row holds only what is its own. */
export const FAMILIES: Readonly<Record<Family, Wording>> = {
  client: {
    side: 'client',
    blame: 'The cause is your client, not the site or the edge.',
    ownerActs: false,
    before: '',
    remedy: '',
    after: '',
  },
  edge: {
    side: 'edge',
    blame: 'The cause is the edge, not your client or the operator of this site.',
    ownerActs: false,
    before: '',
    remedy: 'Wait longer each time this happens again.',
    after: '',
  },
  code: operatorMust(
    'check its logs and settings',
    'The cause is code that the operator of this site runs at the edge, not your client.',
  ),
  origin: operatorMust(
    'check its logs and its load',
    'The cause is the server of the operator of this site, not your client or the edge.',
  ),
  setup: operatorMust(
    'correct it',
    'The cause is a setting of the operator of this site, not your client.',
  ),
  quota: operatorMust(
    'raise the limit',
    'The cause is the plan of the operator of this site, not your client.',
    ' or you must wait until it is reset.',
  ),
  law: {
    side: 'site',
    blame: 'The cause is a legal demand on the operator of this site, not a malfunction.',
    ownerActs: true,
    before: '',
    remedy: 'Only the operator of this site can say more',
    after: '; send them the ray ID.',
  },
  policy: {
    side: 'site',
    blame: 'The cause is a decision of the operator of this site, not a malfunction.',
    ownerActs: true,
    before: 'The same request will be refused again. ',
    remedy: 'Only the operator of this site can allow it',
    after: '; send them the ray ID.',
  },
}
