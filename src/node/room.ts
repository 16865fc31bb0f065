/** Behind `write`: asked itself, nobody has to choose among encodings. Not everywhere. */
interface Bytes extends Buffer<ArrayBuffer> {
  base64urlWrite?(text: string, offset: number, length: number): number
  utf8Write?(text: string, offset: number, length: number): number
}

/** UTF-8 has at most three bytes for a character of a string. */
const BYTES_PER_CHARACTER = 3
/** Views up to this length are made once: tokens of one issuer have a few lengths. */
const KEPT_VIEWS = 2048

/** With all its places from the start: V8 makes a slow table of one that is written far behind its end. */
const emptyViews = () => Array.from<Buffer<ArrayBuffer> | undefined>({ length: KEPT_VIEWS })

/**
 * Room for the bytes of one text after another. They are read before the next ones are written and
 * never handed out to keep: a buffer for each text would cost a token more than its reading.
 */
export class Room {
  #bytes: Bytes = Buffer.allocUnsafeSlow(1 << 14)
  #views = emptyViews()

  /** Writes the bytes of a text in UTF-8; gives how many they are. */
  write(text: string): number {
    this.#widen(text.length * BYTES_PER_CHARACTER)
    const bytes = this.#bytes
    return bytes.utf8Write?.(text, 0, bytes.length) ?? bytes.write(text)
  }

  /** Writes what a text in base64url stands for, whatever is in it; gives how many bytes that is. */
  decode(text: string): number {
    this.#widen(text.length)
    const bytes = this.#bytes
    return bytes.base64urlWrite?.(text, 0, bytes.length) ?? bytes.write(text, 'base64url')
  }

  /** Writes bytes behind others; gives all of them. */
  join(before: Uint8Array, bytes: Uint8Array): Buffer<ArrayBuffer> {
    const length = before.length + bytes.length
    this.#widen(length)
    this.#bytes.set(before)
    this.#bytes.set(bytes, before.length)
    return this.first(length)
  }

  /** So many of the bytes last written. */
  first(length: number): Buffer<ArrayBuffer> {
    if (length >= KEPT_VIEWS) return this.#bytes.subarray(0, length)
    return (this.#views[length] ??= this.#bytes.subarray(0, length))
  }

  #widen(length: number): void {
    if (length <= this.#bytes.length) return
    this.#bytes = Buffer.allocUnsafeSlow(length)
    this.#views = emptyViews()
  }
}
