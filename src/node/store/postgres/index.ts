/** Postgres as the database of the store. */
export { postgresDialect, type PostgresPatience } from './postgres-dialect.js'
