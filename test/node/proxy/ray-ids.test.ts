import { expect, test } from 'vitest'
import { rayIds } from '../../../src/node/proxy/ray-ids.js'

test('ids are the bytes drawn, eight for each, in order and without end', () => {
  const drawn: Uint8Array[] = []
  const next = rayIds((bytes) => {
    bytes.forEach((_, at) => (bytes[at] = (drawn.length * 131 + at * 7) & 0xff))
    drawn.push(Uint8Array.from(bytes))
  })
  const ids = Array.from({ length: 1500 }, next)
  const text = Buffer.concat(drawn).toString('hex')
  expect(ids).toEqual(text.match(/.{16}/g)!.slice(0, 1500))
  expect(drawn.length).toBeLessThan(10)
})

test('ids of this process differ', () => {
  const next = rayIds()
  expect(new Set(Array.from({ length: 5000 }, next)).size).toBe(5000)
})
