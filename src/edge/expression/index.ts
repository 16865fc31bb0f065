/** The Rules language: text to a typed, compiled predicate, and the place of a token in a request. */
export { compile } from './compile.js'
export { condition } from './condition.js'
export { HEADER_NAME, locate } from './locate.js'
export type { TokenSource } from './locate.js'
export { requestScheme } from './scheme.js'
export type { Scheme } from './scheme.js'
export { ExpressionError } from './error.js'
export type { ExpressionErrorCode } from './error.js'
export type {
  Condition,
  ExpressionNotice,
  Facts,
  Predicate,
  TokenState,
  Uses,
} from './predicate.js'
export { trace } from './trace.js'
export type { TraceStep } from './trace.js'
export { bytesOf, textOf } from './value.js'
export type { Value } from './value.js'
export { percentDecode } from './functions/url-decode.js'
export { formatIp, parseIp } from './ip.js'
export type { Ip } from './ip.js'
