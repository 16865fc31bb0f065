import { DIALECT_NAMES, type DialectName } from './auth-service/index.js'

/** A reverse proxy, or the way in which other proxies ask. */
export type GateMode = 'proxy' | 'ext-authz-grpc' | DialectName

export const GATE_MODES: readonly string[] = ['proxy', ...DIALECT_NAMES, 'ext-authz-grpc']
