/** The fields of a protobuf message in the order they are written: numbers and values. */
export type Fields = readonly (readonly [number: number, value: Value])[]
type Value = string | Buffer | bigint | Fields

/** What was written in each field of a message, by number. */
export type Decoded = ReadonlyMap<number, readonly (Buffer | bigint)[]>

const VARINT = 0n
const BYTES = 2n

/** Writes a message by field numbers alone, so that a wrong number in the sources is noticed. */
export function encode(fields: Fields): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'bigint') return Buffer.concat([tag(number, VARINT), varint(value)])
      const bytes = typeof value === 'string' ? Buffer.from(value) : bytesOf(value)
      return Buffer.concat([tag(number, BYTES), varint(BigInt(bytes.length)), bytes])
    }),
  )
}

const bytesOf = (value: Buffer | Fields): Buffer => (Buffer.isBuffer(value) ? value : encode(value))

const tag = (number: number, type: bigint): Buffer => varint((BigInt(number) << 3n) | type)

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128)
  return Buffer.from([...bytes, Number(value)])
}

export function decode(message: Buffer): Decoded {
  const fields = new Map<number, (Buffer | bigint)[]>()
  let at = 0
  const next = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const head = next()
    const number = Number(head >> 3n)
    const length = next()
    const isBytes = (head & 7n) === BYTES
    const value = isBytes ? message.subarray(at, (at += Number(length))) : length
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}

/** The message in a field; one without fields when it is missing. */
export function inner(message: Decoded, number: number): Decoded {
  const [bytes] = message.get(number) ?? []
  return decode(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0))
}

export const inners = (message: Decoded, number: number): readonly Decoded[] =>
  (message.get(number) ?? []).map((bytes) => decode(bytes as Buffer))

export const text = (message: Decoded, number: number): string =>
  (message.get(number) ?? []).map((bytes) => (bytes as Buffer).toString()).join()

export const integer = (message: Decoded, number: number): number =>
  Number(message.get(number)?.at(-1) ?? 0n)
