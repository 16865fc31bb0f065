import type { Migration } from 'kysely'
import { zonesAndTokens } from './migrations/0001-zones-and-tokens.js'
import { tokenValidation } from './migrations/0002-token-validation.js'
import { history } from './migrations/0003-history.js'
import { gateInstances } from './migrations/0004-gate-instances.js'
import { apiSchemas } from './migrations/0005-api-schemas.js'
import { remoteKeySets } from './migrations/0006-remote-key-sets.js'
import { listMarks } from './migrations/0007-list-marks.js'
import { sharedHistory } from './migrations/0008-shared-history.js'
import { edgeErrors } from './migrations/0009-edge-errors.js'
import { listVersions } from './migrations/0010-list-versions.js'
import { tokenReach } from './migrations/0011-token-reach.js'
import { reachInDoubt } from './migrations/0012-reach-in-doubt.js'

/** The schema's history, in order. One list for SQLite and Postgres; never edit a released entry. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_zones_and_tokens': { up: zonesAndTokens },
  '0002_token_validation': { up: tokenValidation },
  '0003_history': { up: history },
  '0004_gate_instances': { up: gateInstances },
  '0005_api_schemas': { up: apiSchemas },
  '0006_remote_key_sets': { up: remoteKeySets },
  '0007_list_marks': { up: listMarks },
  '0008_shared_history': { up: sharedHistory },
  '0009_edge_errors': { up: edgeErrors },
  '0010_list_versions': { up: listVersions },
  '0011_token_reach': { up: tokenReach },
  '0012_reach_in_doubt': { up: reachInDoubt },
}
