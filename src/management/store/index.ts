/** The store: schema, migrations, sealing, and the way in which anything is changed. */
export { agesInOrder } from './ages.js'
export { GONE, onAnnouncement, onCommit, type PolicyListener } from './announcements.js'
export { BackupError } from './backup-error.js'
export { restoreBackup } from './restore-backup.js'
export { writeBackup } from './write-backup.js'
export {
  change,
  changeZone,
  MissingRow,
  type AuditEntry,
  type Change,
  type Origin,
} from './change.js'
export { countOf } from './count.js'
export {
  dialectOf,
  inPieces,
  openDatabase,
  type Database,
  type Row,
  type Transaction,
} from './database.js'
export { keepHistory, type HistoryLimits } from './history.js'
export { laterThanAll } from './later.js'
export { rowsAdded, rowsRemoved } from './count-rows.js'
export { markAnew } from './fill-marks.js'
export { listPage } from './list-page.js'
export { newVersion, stateOf, type VersionedList } from './list-version.js'
export { lockRow } from './lock-row.js'
export { logPage } from './log-page.js'
export { Entries } from './entries.js'
export type { MarkedList } from './marked-list.js'
export { selectEntries } from './pack.js'
export { entriesOf, type View } from './views.js'
export { digest } from './digest.js'
export { microseconds, moment } from './moment.js'
export { oneAtATime } from './one-at-a-time.js'
export { policyHeads, type PolicyHead } from './policy-heads.js'
export { POLICY_PARTS, type PolicyPart, type PolicyParts } from './policy-part.js'
export { reachDigest } from './reach-digest.js'
export { readPolicy } from './read-policy.js'
export { partsOf, recordPolicy } from './record-policy.js'
export { createSealer, SealError, type Sealer } from './sealed.js'
export { keepSecret, openSecrets, resealSecrets, whileSealedAnew } from './secrets.js'
export { areSettled, settleReaches } from './settle-reaches.js'
export { snapshot } from './snapshot.js'
export type { Schema } from './schema.js'
export type { Services } from './services.js'
export type { Announcer, StoreDialect, StoreFault } from './store-dialect.js'
export { totalsOf } from './totals.js'
export { pageOfEntries, viewPage, type ListView } from './view-page.js'
