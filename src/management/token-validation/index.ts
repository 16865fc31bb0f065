/** Token validation: configurations, keys and rules of a zone. */
import type { Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import { configurationRoutes } from './configuration-routes.js'

/** The endpoints of token validation. */
export const tokenValidationRoutes = (services: Services): readonly Endpoint[] => [
  ...configurationRoutes(services),
]
