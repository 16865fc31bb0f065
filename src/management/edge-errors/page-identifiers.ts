import { catalogue } from '../../edge/problem/index.js'

/** What an error page is for. */
export interface PageKind {
  readonly description: string
  /** Classes and codes of the policy that it answers. */
  readonly answers: readonly string[]
  /** Names of the placeholders of which one has to be there, as clients know them. */
  readonly required: readonly string[]
}

const BOX_1000 = '::CLOUDFLARE_ERROR_1000S_BOX::'
const BOX_500 = '::CLOUDFLARE_ERROR_500S_BOX::'

/**
 * Pages for several codes, from the broadest to the narrowest: identifiers of the published clients,
 * of which those for challenges have no place here.
 */
const GROUPS: ReadonlyMap<string, PageKind> = new Map([
  ['1000_errors', { description: '1000 class errors', answers: ['1xxx'], required: [BOX_1000] }],
  ['500_errors', { description: '500 class errors', answers: ['5xx'], required: [BOX_500] }],
  [
    'ip_block',
    {
      description: 'IP/Country Block',
      answers: ['1005', '1006', '1007', '1008', '1009', '1106'],
      required: [],
    },
  ],
  ['ratelimit_block', { description: 'Rate limit Block', answers: ['1015'], required: [] }],
  ['waf_block', { description: 'WAF Block', answers: ['1020'], required: [] }],
])

/** Identifiers of pages for several codes: those that are always listed. */
export const GROUP_IDENTIFIERS: readonly string[] = [...GROUPS.keys()]

/** What an identifier means; `undefined` when there is no such page. */
export function pageKind(identifier: string): PageKind | undefined {
  const group = GROUPS.get(identifier)
  if (group !== undefined) return group
  const kind = /^[1-9][0-9]{2,3}$/.test(identifier) ? catalogue.get(Number(identifier)) : undefined
  return kind && { description: kind.title, answers: [identifier], required: [] }
}

/** Identifiers in order of width: where two answer the same code, the later one does. */
export const byWidth = (one: string, other: string): number => rank(one) - rank(other)

function rank(identifier: string): number {
  const at = GROUP_IDENTIFIERS.indexOf(identifier)
  return at < 0 ? GROUP_IDENTIFIERS.length : at
}
