/**
 * The node floor: synchronous cryptography, a gate that listens, a reverse proxy to mount.
 * @packageDocumentation
 */
export {
  createAuthService,
  createGrpcAuthService,
  DIALECT_NAMES,
  GrpcMissing,
  type AuthService,
  type AuthServiceOptions,
  type DialectName,
  type GrpcAuthService,
  type GrpcAuthServiceOptions,
  type QuestionFault,
} from './auth-service/index.js'
export { createDocumentReader, type DocumentReaderOptions } from './documents/index.js'
export { nodeCrypto } from './crypto.js'
export { GATE_MODES, type GateMode } from './gate-modes.js'
export {
  createServerGate,
  startGateServer,
  type GateServer,
  type GateServerOptions,
} from './gate-server.js'
export type { ServerGate } from './with-edge-errors.js'
export { givingWay } from './giving-way.js'
export { listenAddress, type ListenAddress } from './listen-address.js'
export {
  createOutbound,
  OutboundError,
  type Outbound,
  type OutboundAnswer,
  type OutboundErrorCode,
  type OutboundOptions,
  type OutboundRequest,
} from './outbound/index.js'
export { PolicyFileError, readPolicyFile } from './policy-file.js'
export { followPolicy } from './follow-policy.js'
export type { FollowOptions, FollowState, PolicySource, Refusal } from './policy-source.js'
export { unknownKeyWatch } from './unknown-key-watch.js'
export {
  addSecretKey,
  dropOldSecretKeys,
  readSecretKeys,
  SecretKeyError,
  sqliteDialect,
} from './store/index.js'
export { postgresDialect } from './store/postgres/index.js'
export {
  createProxy,
  type Failure,
  type FailureCode,
  type ProxiedRequest,
  type Proxy,
  type ProxyOptions,
  type Timeouts,
  type TrustForwarded,
  type UpstreamTls,
} from './proxy/index.js'
