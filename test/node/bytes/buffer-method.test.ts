import { expect, test } from 'vitest'
import { bufferMethod } from '../../../src/node/bytes/buffer-method.js'

const instead = (): string => 'instead'

test('a method that buffers have is theirs, and another one what is given instead', () => {
  expect(bufferMethod('latin1Slice', instead)).toBe(Reflect.get(Buffer.prototype, 'latin1Slice'))
  expect(bufferMethod('nobodysSlice', instead)).toBe(instead)
})
