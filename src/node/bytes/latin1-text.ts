import { bufferMethod } from './buffer-method.js'

const slice = bufferMethod('latin1Slice', function (start: number, end: number): string {
  return this.toString('latin1', start, end)
})

/** Bytes as text, a character for each. */
export const latin1Text = (bytes: Buffer): string => slice.call(bytes, 0, bytes.length)
