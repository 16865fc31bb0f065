import { bufferMethod } from './bytes/index.js'

const encoder = new TextEncoder()

type Write = (this: Buffer, text: string, offset: number, length: number) => number

/** Deno writes every character by itself, but for UTF-8, which text in ASCII is as well. */
const writeLatin1: Write =
  process.versions['deno'] === undefined
    ? bufferMethod<Write>('latin1Write', function (text, offset, length) {
        return this.write(text, offset, length, 'latin1')
      })
    : function (text, offset) {
        return encoder.encodeInto(text, this.subarray(offset)).written
      }

const writeBase64Url = bufferMethod<Write>('base64urlWrite', function (text, offset, length) {
  return this.write(text, offset, length, 'base64url')
})

const NOTHING = new Uint8Array()

/** Views up to this length are made once: tokens of one issuer have a few lengths. */
const KEPT_VIEWS = 2048

/** With all its places from the start: V8 makes a slow table of one that is written far behind its end. */
const emptyViews = () => Array.from<Buffer<ArrayBuffer> | undefined>({ length: KEPT_VIEWS })

/**
 * Room for the bytes of one text after another. They are read before the next ones are written and
 * never handed out to keep: a buffer for each text would cost a token more than its reading.
 */
export class Room {
  #bytes = Buffer.allocUnsafeSlow(1 << 14)
  #views = emptyViews()

  /** Writes a text in ASCII, behind other bytes if so asked; gives all of them. */
  write(text: string, before: Uint8Array = NOTHING): Buffer<ArrayBuffer> {
    const { length } = before
    this.#widen(length + text.length)
    if (length > 0) this.#bytes.set(before)
    return this.first(length + writeLatin1.call(this.#bytes, text, length, text.length))
  }

  /** Writes what a text in base64url stands for, whatever is in it; gives how many bytes that is. */
  decode(text: string): number {
    this.#widen(text.length)
    return writeBase64Url.call(this.#bytes, text, 0, this.#bytes.length)
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
