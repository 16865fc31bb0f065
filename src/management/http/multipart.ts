import { z } from '@hono/zod-openapi'
import { ApiError } from './api-error.js'
import { isStorable, readBytes } from './body.js'
import { CODES } from './codes.js'
import { pointerTo } from './message.js'

/** A part of a form that may be a file. Its text is that of UTF-8. */
export interface FormFile {
  readonly name: string
  readonly text: string
}

/**
 * The fields of a form (multipart), `undefined` when there is no body. Of a repeated name the first
 * counts; what has a file name is a {@link FormFile}.
 *
 * @throws {ApiError} 413, 415 or 400
 */
export async function readMultipart(
  request: Request,
): Promise<Readonly<Record<string, string | FormFile>> | undefined> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readBytes(request)
  if (bytes.length === 0) return undefined
  if (!/^multipart\/form-data *;/i.test(type))
    throw new ApiError(
      415,
      CODES.unsupported_media_type,
      'expected Content-Type: multipart/form-data',
    )
  const fields = new Map<string, string | FormFile>()
  for (const [name, value] of await formOf(bytes, type)) {
    if (!isStorable(name)) throw invalid('expected other names of fields', [])
    if (fields.has(name)) continue
    const field = typeof value === 'string' ? value : await fileOf(value, name)
    if (typeof field === 'string' && !isStorable(field))
      throw invalid('expected plain text', [name])
    fields.set(name, field)
  }
  return Object.fromEntries(fields)
}

async function formOf(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new ApiError(400, CODES.malformed_json, 'the body is no form of multipart/form-data')
  }
}

async function fileOf(file: File, field: string): Promise<FormFile> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    if (isStorable(text)) return { name: isStorable(file.name) ? file.name : '', text }
  } catch {
    // Not UTF-8: told below.
  }
  throw invalid('expected a file of text in UTF-8, without U+0000', [field])
}

const invalid = (text: string, place: readonly string[]): ApiError =>
  new ApiError(400, CODES.invalid_value, text, pointerTo(place))

/** A field of a form that holds a file, or its text. */
export const formFile = z
  .union([z.string().transform((text) => ({ name: '', text })), z.custom<FormFile>(isFile)], {
    error: 'expected a file',
  })
  .refine(({ text }) => text !== '', 'expected a file that is not empty')
  .openapi({ type: 'string', format: 'binary' })

function isFile(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'text' in value
}
