/** Lines of a gate are a little longer than the headers of a request: what is this long is none. */
const LONGEST_LINE = 1024 * 1024
const NEWLINE = 0x0a
const NOTHING: Buffer = Buffer.alloc(0)

/**
 * The whole lines of a stream, as many at once as there are. A line that is cut off, since the stream
 * ends or it is longer than any could be, is ended: nothing else is to be read as the rest of it.
 */
export async function* wholeLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let begun = NOTHING
  try {
    for await (const chunk of stream) {
      const text = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
      const end = text.lastIndexOf(NEWLINE) + 1
      begun = text.subarray(end)
      if (end > 0) yield text.subarray(0, end)
      if (begun.length < LONGEST_LINE) continue
      yield ended(begun)
      begun = NOTHING
    }
  } catch {
    // Whoever wrote is gone, and what did not come is lost with them.
  }
  if (begun.length > 0) yield ended(begun)
}

const ended = (line: Buffer): Buffer => Buffer.concat([line, Buffer.of(NEWLINE)])
