import type { AccessTables } from './schema/access-tables.js'
import type { EdgeErrorTables } from './schema/edge-error-tables.js'
import type { ListTables } from './schema/list-tables.js'
import type { OperationTables } from './schema/operation-tables.js'
import type { PolicyTables } from './schema/policy-tables.js'
import type { RuleTables } from './schema/rule-tables.js'
import type { TokenTables } from './schema/token-tables.js'
import type { ZoneTables } from './schema/zone-tables.js'

/**
 * The tables. Times are epoch microseconds, flags 0 or 1, JSON is text, so that SQLite and
 * Postgres hold the same. What belongs to a zone begins with `zone_id` in every index.
 */
export interface Schema
  extends
    ZoneTables,
    AccessTables,
    OperationTables,
    TokenTables,
    RuleTables,
    PolicyTables,
    EdgeErrorTables,
    ListTables {}
