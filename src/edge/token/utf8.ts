const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes of a text in UTF-8. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** The text of UTF-8 bytes, a byte order mark kept (so that JSON refuses it), or `undefined`. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

let scratch = new Uint8Array(4096)

/**
 * The same text in storage of its own. A slice that outlives the request would keep the whole
 * header it was cut from in memory. The bytes between have one place: a buffer for each text would
 * cost four times as much.
 */
export function detach(text: string): string {
  // UTF-8 has at most three bytes for a character of a string.
  const room = text.length * 3
  if (room > scratch.length) scratch = new Uint8Array(room)
  const { written } = encoder.encodeInto(text, scratch)
  return decoder.decode(scratch.subarray(0, written))
}
