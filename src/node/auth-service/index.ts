export { createAuthService, type AuthService, type AuthServiceOptions } from './auth-service.js'
export { DIALECT_NAMES, type DialectName } from './dialect.js'
export type { QuestionFault } from './read-question.js'
