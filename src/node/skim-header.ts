import { skimKeyName } from '../edge/skim/index.js'
import type { JsonObject } from '../edge/token/index.js'
import { decodeSegment } from './decode-segment.js'
import { latin1Text } from './bytes/index.js'
import { Room } from './room.js'

const headers = new Room()

/** {@link skimKeyName} of a header segment. */
export function skimHeader(header: string): JsonObject | undefined {
  if (header.includes('+') || header.includes('/')) return undefined
  const json = decodeSegment(header, headers)
  return json && skimKeyName(json, latin1Text(json))
}
