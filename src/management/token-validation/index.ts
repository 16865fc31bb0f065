/** Token validation: configurations, keys and rules of a zone. */
import type { Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import { configurationRoutes, type RemoteKeys } from './configuration-routes.js'
import { gateSettingsRoutes } from './gate-settings.js'
import { ruleRoutes } from './rule-routes.js'

export { TOKEN_VALIDATION_CODES } from './code-notes.js'
export { KEY_CODES } from './key-code-notes.js'
export { restoreConfigurations } from './restore-configurations.js'
export { restoreRules } from './restore-rules.js'
export { zonePolicy, type ZonePolicy } from './policy.js'

/** The endpoints of token validation. */
export const tokenValidationRoutes = (
  services: Services,
  remote: RemoteKeys,
): readonly Endpoint[] => [
  ...configurationRoutes(services, remote),
  ...ruleRoutes(services),
  ...gateSettingsRoutes(services),
]
