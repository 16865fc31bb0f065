import { HandshakeError } from './connector.js'

/** Edge errors that a failed exchange with upstream can become. */
export type FailureCode =
  500 | 502 | 504 | 520 | 521 | 522 | 523 | 524 | 525 | 526 | 1000 | 1016 | 1038 | 1043

/** Why upstream gave no answer: the edge error to show, and what happened. */
export interface Failure {
  readonly code: FailureCode
  readonly error: Error
}

// Codes of Node and undici, as they appear on `error.code`.
const CODES: ReadonlyMap<string, FailureCode> = new Map<string, FailureCode>([
  // Nothing listens there.
  ['ECONNREFUSED', 521],
  ['ENOENT', 521],
  // The TCP handshake was not completed in time.
  ['UND_ERR_CONNECT_TIMEOUT', 522],
  ['ETIMEDOUT', 522],
  // No way there.
  ['EADDRNOTAVAIL', 523],
  ['EHOSTDOWN', 523],
  ['EHOSTUNREACH', 523],
  ['EINVAL', 523],
  ['ENETDOWN', 523],
  ['ENETUNREACH', 523],
  ['EACCES', 523],
  // The name: gone for good, or not known just now.
  ['ENOTFOUND', 1016],
  ['ENODATA', 1016],
  ['EAI_AGAIN', 504],
  ['EAI_FAIL', 504],
  ['QUEUE_TIMEOUT', 504],
  // Connected, then silence.
  ['UND_ERR_HEADERS_TIMEOUT', 524],
  ['UND_ERR_BODY_TIMEOUT', 524],
  // Connected, then reset: no answer that could be read.
  ['ECONNABORTED', 520],
  ['ECONNRESET', 520],
  ['EPIPE', 520],
  // Connected, then cut off before the head was complete.
  ['UND_ERR_ABORTED', 502],
  ['UND_ERR_DESTROYED', 502],
  ['UND_ERR_INFO', 502],
  // An answer that is none.
  ['HPE_HEADER_OVERFLOW', 520],
  ['UND_ERR_HEADERS_OVERFLOW', 520],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 520],
  ['UNUSABLE_RESPONSE', 520],
  // Ours: upstream was never asked.
  ['EMFILE', 500],
  ['ENFILE', 500],
  ['ERR_ASSERTION', 500],
  ['UND_ERR_CLOSED', 500],
  ['UND_ERR_INVALID_ARG', 500],
  ['UND_ERR_NOT_SUPPORTED', 500],
])

// What the verification of a certificate can say (X509_V_ERR_* in Node's words).
const CERTIFICATE: ReadonlySet<string> = new Set([
  'AKID_ISSUER_SERIAL_MISMATCH',
  'AKID_SKID_MISMATCH',
  'CA_MD_TOO_WEAK',
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'CRL_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'CRL_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'EE_KEY_TOO_SMALL',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'KEYUSAGE_NO_CERTSIGN',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'SUBJECT_ISSUER_MISMATCH',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

// undici gives one code to every broken connection; these two texts mean that it was closed.
const CLOSED: ReadonlySet<string> = new Set(['closed', 'other side closed'])

/** The edge error for what went wrong between the proxy and upstream, before an answer began. */
export function failureCode(error: unknown): FailureCode {
  if (error instanceof HandshakeError) return CERTIFICATE.has(error.code) ? 526 : 525
  const { code, socket, message } = lastOf(error)
  if (code === 'UND_ERR_SOCKET') {
    // Closed without a single byte is an empty answer, closed within the head an incomplete one.
    return CLOSED.has(message) && socket?.bytesRead !== 0 ? 502 : 520
  }
  // Whatever else a parser says of an answer (HPE_*), it could not be understood.
  return CODES.get(code) ?? 520
}

/**
 * True when a connection broke that may have been an old one: upstream may close a kept-alive
 * connection at any time, also while a request is on its way.
 */
export function wasLost(error: unknown): boolean {
  const { code, socket, message } = lastOf(error)
  return code === 'UND_ERR_SOCKET'
    ? CLOSED.has(message) && socket?.bytesRead !== 0
    : code === 'ECONNRESET' || code === 'EPIPE'
}

interface Known {
  readonly code: string
  readonly message: string
  readonly socket?: { readonly bytesRead?: number } | null
}

/** Of several addresses that were tried in turn, the last failure counts. */
function lastOf(error: unknown): Known {
  const inner = error instanceof AggregateError ? (error.errors.at(-1) as unknown) : error
  if (!(inner instanceof Error)) return { code: '', message: String(inner) }
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : ''
  const socket = 'socket' in inner ? (inner.socket as Known['socket']) : null
  return { code, message: inner.message, ...(socket && { socket }) }
}
