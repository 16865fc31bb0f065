import type { EdgeErrorsDocument } from '../../edge/edge-errors/index.js'
import { byWidth, pageKind } from './page-identifiers.js'
import { isPaid } from './paid-plan.js'
import { ruleOfPolicy, type StoredPart } from './stored-part.js'

/**
 * What of a stored part gates are told: enabled rules where the plan has them, pages by class and
 * code, the branding. `undefined` when it is nothing, as in versions older than edge errors.
 */
export function edgeErrorsInForce(part: unknown): EdgeErrorsDocument | undefined {
  if (part === undefined) return undefined
  const { plan, rules, pages, branding } = part as StoredPart
  const inForce = isPaid(plan) ? rules.filter(({ enabled }) => enabled) : []
  const document = {
    ...(inForce.length > 0 && { rules: inForce.map(ruleOfPolicy) }),
    ...(pages.length > 0 && { pages: pagesOf(pages) }),
    ...(branding !== null && Object.keys(branding).length > 0 && { branding }),
  }
  return Object.keys(document).length > 0 ? document : undefined
}

function pagesOf(pages: StoredPart['pages']): Readonly<Record<string, string>> {
  const answers = pages
    .toSorted((one, other) => byWidth(one.identifier, other.identifier))
    .flatMap(({ identifier, content }) =>
      (pageKind(identifier)?.answers ?? []).map((answered) => [answered, content] as const),
    )
  return Object.fromEntries(answers)
}
