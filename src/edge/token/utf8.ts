const encoder = new TextEncoder()
const decoder = new TextDecoder('utf8', { fatal: true, ignoreBOM: true })

let scratch = new Uint8Array(4096)

/**
 * The bytes of a text in UTF-8, until the next text takes their place: a buffer for each would cost
 * four times as much.
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  // UTF-8 has at most three bytes for a character of a string.
  const room = text.length * 3
  if (room > scratch.length) scratch = new Uint8Array(room)
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written)
}

/** The text of UTF-8 bytes, a byte order mark kept (so that JSON refuses it), or `undefined`. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The same text in storage of its own. A slice that outlives the request would keep the whole
 * text it was cut from in memory.
 */
export function detach(text: string): string {
  return decoder.decode(encodeUtf8(text))
}
