/** What gates are told and what they tell: policies, their versions, and who runs which. */
import type { Endpoint } from '../http/index.js'
import type { PolicyOf } from './policy-document.js'
import { policyRoutes } from './policy-routes.js'

export type { PolicyDocument, PolicyOf } from './policy-document.js'

/** The endpoints of gates. */
export const gateRoutes = ({ policy }: { readonly policy: PolicyOf }): readonly Endpoint[] => [
  ...policyRoutes(policy),
]
