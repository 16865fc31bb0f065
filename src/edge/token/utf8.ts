const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes of a text in UTF-8, where they are not there already. */
export function encodeUtf8(text: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof text === 'string' ? encoder.encode(text) : text
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
  return decoder.decode(encoder.encode(text))
}
