export { createAuthService, type AuthService, type AuthServiceOptions } from './auth-service.js'
export { DIALECT_NAMES, type DialectName } from './dialect.js'
export {
  createGrpcAuthService,
  type GrpcAuthService,
  type GrpcAuthServiceOptions,
} from './grpc/grpc-auth-service.js'
export { GrpcMissing } from './grpc/grpc-missing.js'
export type { QuestionFault } from './read-question.js'
