import { bufferMethod } from './buffer-method.js'

const slice = bufferMethod('latin1Slice', function (start: number, end: number): string {
  return this.toString('latin1', start, end)
})

/**
 * Bytes as text, a character for each.
 *
 * @param likely a text that they may well be: it is given back then, as making one takes longer
 */
export const latin1Text = (bytes: Buffer, likely?: string): string =>
  likely !== undefined && isText(bytes, likely) ? likely : slice.call(bytes, 0, bytes.length)

function isText(bytes: Buffer, text: string): boolean {
  if (bytes.length !== text.length) return false
  for (let at = 0; at < text.length; at++) if (bytes[at] !== text.charCodeAt(at)) return false
  return true
}
