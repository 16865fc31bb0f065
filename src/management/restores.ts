import { restoreEdgeErrors } from './edge-errors/index.js'
import { restoreOperations } from './operations/index.js'
import { restoreConfigurations, restoreRules } from './token-validation/index.js'
import { restoreZone } from './zones/index.js'

/** A rollback goes through every area that a policy is made of. */
export const RESTORES = {
  zone: restoreZone,
  token_configurations: restoreConfigurations,
  operations: restoreOperations,
  rules: restoreRules,
  edge_errors: restoreEdgeErrors,
}
