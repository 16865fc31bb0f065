import { skimKeyName } from '../edge/skim/index.js'
import type { JsonObject } from '../edge/token/index.js'
import { bufferMethod } from './buffer-method.js'
import { decodeSegment } from './decode-segment.js'
import { Room } from './room.js'

const headers = new Room()

const textOf = bufferMethod('latin1Slice', function (start: number, end: number): string {
  return this.toString('latin1', start, end)
})

/** {@link skimKeyName} of a header segment. */
export function skimHeader(header: string): JsonObject | undefined {
  if (header.includes('+') || header.includes('/')) return undefined
  const json = decodeSegment(header, headers)
  return json && skimKeyName(json, textOf.call(json, 0, json.length))
}
