import { ApiError } from './api-error.js'
import { CODES } from './codes.js'
import { message, pointerTo, type Message } from './message.js'

/** Bytes of a body. */
export const MAX_BODY = 1_000_000
const MAX_DEPTH = 32

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/i

/**
 * The JSON of a request's body, `undefined` when it has none.
 * @throws {ApiError} 413, 415 or 400
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')
  const bytes = await readBytes(request)
  if (bytes.length === 0) return undefined
  if (type === null || !JSON_TYPE.test(type.split(';')[0]!.trim()))
    throw new ApiError(415, CODES.unsupported_media_type, 'expected Content-Type: application/json')
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    // The message of a parser repeats the text around the fault, which may be a secret.
    const [place = ''] = /at position \d+|unexpected end/i.exec((cause as Error).message) ?? []
    const text = `the body is not JSON in UTF-8 ${place.toLowerCase()}`.trim()
    throw new ApiError(400, CODES.malformed_json, text)
  }
  const faults = faultsIn(value, [])
  if (faults.length > 0) throw ApiError.of(400, faults)
  return value
}

/**
 * The bytes of a body.
 * @throws {ApiError} 413
 */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = new ApiError(
    413,
    CODES.too_large,
    `expected a body of at most ${MAX_BODY} bytes`,
  )
  if (Number(request.headers.get('content-length')) > MAX_BODY) throw tooLarge
  if (request.body === null) return new Uint8Array()
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > MAX_BODY) {
      await reader.cancel()
      throw tooLarge
    }
    pieces.push(value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** True for text that every database keeps as it is. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function faultsIn(value: unknown, steps: readonly PropertyKey[]): readonly Message[] {
  const fault = (text: string) => [message(CODES.invalid_value, text, pointerTo(steps))]
  if (typeof value === 'string')
    return isStorable(value) ? [] : fault('expected text without U+0000 and lone surrogates')
  if (typeof value !== 'object' || value === null) return []
  if (steps.length >= MAX_DEPTH) return fault(`expected at most ${MAX_DEPTH} levels of nesting`)
  if (Array.isArray(value)) return value.flatMap((item, at) => faultsIn(item, [...steps, at]))
  return Object.entries(value).flatMap(([name, member]) =>
    isStorable(name) ? faultsIn(member, [...steps, name]) : fault('expected other member names'),
  )
}
