/** Management and gate in one process. */
export { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logger.js'
export { openStore, type Store, type StorePlace } from './open-store.js'
export { startServe, type ServeOptions, type Serving } from './start-serve.js'
