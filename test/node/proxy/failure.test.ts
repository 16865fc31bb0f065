import { expect, test } from 'vitest'
import { catalogue } from '../../../src/edge/problem/index.js'
import { HandshakeError } from '../../../src/node/proxy/connector.js'
import { failureCode } from '../../../src/node/proxy/failure.js'

const failing = (code: string, message = code, more = {}) =>
  Object.assign(new Error(message), { code, ...more })

test.each([
  ['ECONNREFUSED', 521],
  ['UND_ERR_CONNECT_TIMEOUT', 522],
  ['ETIMEDOUT', 522],
  ['EHOSTUNREACH', 523],
  ['ENETUNREACH', 523],
  ['ENOTFOUND', 1016],
  ['EAI_AGAIN', 504],
  ['UND_ERR_HEADERS_TIMEOUT', 524],
  ['ECONNRESET', 520],
  ['EPIPE', 520],
  ['HPE_INVALID_CONSTANT', 520],
  ['UND_ERR_HEADERS_OVERFLOW', 520],
  ['EMFILE', 500],
  ['UND_ERR_INVALID_ARG', 500],
  ['something new', 520],
])('%s is %i, and the catalogue knows it', (code, expected) => {
  expect(failureCode(failing(code))).toBe(expected)
  expect(catalogue.has(expected)).toBe(true)
})

test.each([
  ['other side closed', 0, 520],
  ['other side closed', 1, 502],
  ['closed', 1, 502],
  ['bad response', 1, 520],
  ['bad upgrade', 1, 520],
])('a connection lost with "%s" after %i bytes is %i', (message, bytesRead, expected) => {
  const error = failing('UND_ERR_SOCKET', message, { socket: { bytesRead } })
  expect(failureCode(error)).toBe(expected)
})

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 526],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 526],
  ['CERT_HAS_EXPIRED', 526],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 525],
  ['ECONNRESET', 525],
  ['UND_ERR_CONNECT_TIMEOUT', 525],
])('%s during the TLS handshake is %i', (code, expected) => {
  expect(failureCode(new HandshakeError(failing(code)))).toBe(expected)
})

test('of several addresses that were tried the last one counts', () => {
  const errors = [failing('ENETUNREACH'), failing('ECONNREFUSED')]
  expect(failureCode(new AggregateError(errors))).toBe(521)
})

test.each([undefined, null, 'text', {}, { code: 'ECONNREFUSED' }, failing(7 as never)])(
  'what is no proper error, %j, is an unknown one',
  (error) => {
    expect(failureCode(error)).toBe(520)
  },
)
