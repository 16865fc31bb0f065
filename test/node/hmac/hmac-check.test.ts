import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacCheck } from '../../../src/node/hmac/index.js'

test.each([256, 384, 512] as const)(
  'HMAC with SHA-%i is that of createHmac for keys up to, at and beyond the block of the hash',
  (bits) => {
    for (const size of [1, 32, 48, 63, 64, 65, 127, 128, 129, 300]) {
      const secret = Buffer.alloc(size, 'a secret of its own')
      const check = hmacCheck(bits, secret)
      fc.assert(
        fc.property(fc.base64String({ maxLength: 400 }), fc.nat(), (message, at) => {
          const mac = createHmac(`sha${bits}`, secret).update(message).digest()
          expect(check(message, mac)).toBe(true)
          expect(check(`${message}A`, mac)).toBe(false)
          mac[at % mac.length]! ^= 1
          expect(check(message, mac)).toBe(false)
        }),
        { numRuns: 20 },
      )
    }
  },
)

test('a message longer than any before has its room', () => {
  const secret = Buffer.alloc(32, 'x')
  const message = 'A'.repeat(100_000)
  const mac = createHmac('sha256', secret).update(message).digest()
  expect(hmacCheck(256, secret)(message, mac)).toBe(true)
})
