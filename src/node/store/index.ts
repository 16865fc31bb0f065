/** What the store stands on: databases, and the keys that seal secrets. */
export { postgresDialect, type PostgresPatience } from './postgres.js'
export {
  addSecretKey,
  dropOldSecretKeys,
  readSecretKeys,
  SecretKeyError,
  secretKeysStamp,
} from './secret-keys.js'
export { sqliteDialect } from './sqlite.js'
