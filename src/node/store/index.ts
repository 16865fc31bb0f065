/** What the store stands on: databases, and the keys that seal secrets. */
export { postgresDialect } from './postgres.js'
export { addSecretKey, readSecretKeys, SecretKeyError } from './secret-keys.js'
export { sqliteDialect } from './sqlite.js'
