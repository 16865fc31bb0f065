/** What gates are told and what they tell: policies, their versions, and who runs which. */
import type { Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import type { EventStreamOptions } from './event-stream.js'
import type { PolicyOf } from './policy-document.js'
import { instanceRoutes } from './instance-routes.js'
import { policyRoutes } from './policy-routes.js'
import type { Restores } from './rollback.js'
import { versionRoutes } from './version-routes.js'

export {
  gateStates,
  keepReports,
  type GateState,
  type InstanceReport,
  type Refused,
} from './instances.js'
export { createNews, type News } from './news.js'
export type { PolicyDocument, PolicyOf } from './policy-document.js'

/** What the room needs besides the store. */
export interface GateServices extends Services, Pick<EventStreamOptions, 'news' | 'every'> {
  readonly policy: PolicyOf
  readonly restores: Restores
}

/** The endpoints of gates. */
export const gateRoutes = (services: GateServices): readonly Endpoint[] => [
  ...policyRoutes(services.policy),
  ...versionRoutes(services),
  ...instanceRoutes(services.db),
]
