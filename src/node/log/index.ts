/** What a server tells of itself: JSON, one object a line. */
export { createLogger, faultOf, LOG_LEVELS, type Logger, type LogLevel } from './logger.js'
export { gateLog, type GateLog } from './gate-log.js'
