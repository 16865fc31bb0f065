/** Edge errors: custom error rules, error pages and the look of the default page of a zone. */
import type { Endpoint, Outbound } from '../http/index.js'
import type { Services } from '../store/index.js'
import { brandingRoutes } from './branding-routes.js'
import { entryPointRoutes } from './entry-point-routes.js'
import { pageRoutes } from './page-routes.js'
import { previewRoutes } from './preview-routes.js'
import { rulesetRoutes } from './ruleset-routes.js'
import { rulesetRuleRoutes } from './ruleset-rule-routes.js'

export { EDGE_ERROR_CODES } from './code-notes.js'
export { checkErrorRules } from './check-error-rules.js'
export { edgeErrorsInForce } from './in-force.js'
export { restoreEdgeErrors } from './restore-edge-errors.js'

/** The endpoints of edge errors. */
export const edgeErrorRoutes = (
  services: Services,
  outbound: Outbound | undefined,
): readonly Endpoint[] => [
  ...entryPointRoutes(services),
  ...rulesetRoutes(services),
  ...rulesetRuleRoutes(services),
  ...pageRoutes(services, outbound),
  ...brandingRoutes(services),
  ...previewRoutes(services),
]
