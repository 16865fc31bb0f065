/**
 * The management floor: stores configuration and answers the API. Web APIs only; databases are
 * handed in.
 * @packageDocumentation
 */
export { createSealer, openDatabase, type Database, type Sealer } from './store/index.js'
