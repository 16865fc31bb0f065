import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headerName, headerNameAt } from '../../../src/node/proxy/header-name.js'

const ORDINARY = { isHopByHop: false, isDropped: false, isClaim: false }
const HOP = { isHopByHop: true, isDropped: true }

test.each([
  ['Accept', { name: 'accept', folded: 'accept', ...ORDINARY }],
  ['X_Request_Id', { name: 'x_request_id', folded: 'x-request-id', ...ORDINARY }],
  ['__proto__', { name: '__proto__', folded: '--proto--', ...ORDINARY }],
  ['X.Real~IP', { name: 'x.real~ip', folded: 'x-real-ip', isDropped: false, isClaim: true }],
  ['Connection', { name: 'connection', ...HOP }],
  ['Content-Length', { name: 'content-length', ...ORDINARY }],
  ['Content_Length', { folded: 'content-length', isHopByHop: false, isDropped: true }],
  ['Transfer_Encoding', { folded: 'transfer-encoding', isHopByHop: false, isDropped: true }],
  ['Proxy-Anything', { name: 'proxy-anything', ...HOP }],
  ['Expect', { isHopByHop: false, isDropped: true }],
  ['CF_Ray', { folded: 'cf-ray', isHopByHop: false, isDropped: true }],
  ['X_Forwarded_For', { isDropped: true, isClaim: true }],
  ['X-Real-IP', { isDropped: false, isClaim: true }],
  ['a'.repeat(64), { name: 'a'.repeat(64), ...ORDINARY }],
  [`Proxy-${'a'.repeat(60)}`, HOP],
])('%s is read the same at first, again, and when many others came between', (sent, expected) => {
  expect(headerName(sent)).toMatchObject(expected)
  expect(headerName(sent)).toMatchObject(expected)
  for (let n = 0; n < 3000; n++) headerName(`x-${n}`)
  expect(headerName(sent)).toMatchObject(expected)
})

const names = fc.constantFrom('Te', 'TE', 'X_A', 'X-A', 'Host', 'host', 'a'.repeat(65), '__proto__')

test('a name is read alike at every place, whatever stood there before', () => {
  const property = fc.property(fc.array(fc.tuple(fc.constantFrom(0, 1, 63, 64), names)), (all) => {
    for (const [place, sent] of all) {
      const name = headerNameAt(place, sent)
      expect(name).toEqual(headerName(sent))
      expect(name.sent).toBe(sent)
    }
  })
  fc.assert(property, { seed: 5 })
})
