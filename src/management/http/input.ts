import { z } from '@hono/zod-openapi'
import { ApiError } from './api-error.js'
import { isStorable } from './body.js'
import { CODES } from './codes.js'
import { message, pointerTo, shownName, type Message } from './message.js'

/**
 * Reads input by its schema. Members that the schema does not know are left out and told of.
 * @throws {ApiError} 400 with a message for each member at fault
 */
export function read<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { readonly value: z.output<Schema>; readonly messages: readonly Message[] } {
  const result = schema.safeParse(input)
  if (result.success)
    return { value: result.data, messages: unknownMembers(input, result.data, []) }
  throw ApiError.of(
    400,
    result.error.issues
      .flatMap(deepest)
      .map(({ message: text, path }) => message(CODES.invalid_value, text, pointerTo(path))),
  )
}

interface Issue {
  readonly message: string
  readonly path: readonly PropertyKey[]
}

/** Of a choice between forms, the faults of the one that was meant: whose own shape is right. */
function deepest(issue: z.core.$ZodIssue): readonly Issue[] {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((name) => JSON.stringify(shownName(name)))
    return [{ path: issue.path, message: `expected no member ${names.join(', ')}` }]
  }
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.find((form) => form.every(({ path }) => path.length > 0))
  if (meant === undefined) return [issue]
  return meant
    .flatMap(deepest)
    .map(({ message: text, path }) => ({ message: text, path: [...issue.path, ...path] }))
}

function unknownMembers(
  given: unknown,
  taken: unknown,
  steps: readonly PropertyKey[],
): readonly Message[] {
  if (typeof given !== 'object' || given === null || typeof taken !== 'object' || taken === null)
    return []
  if (Array.isArray(given) !== Array.isArray(taken)) return []
  return Object.entries(given).flatMap(([name, member]) => {
    const path = [...steps, name]
    if (!Object.hasOwn(taken, name)) {
      const text = `${JSON.stringify(shownName(name))} has no meaning here and is ignored`
      return [message(CODES.unknown_member, text, pointerTo(path))]
    }
    return unknownMembers(member, (taken as Record<string, unknown>)[name], path)
  })
}

/**
 * A query as its schema expects it: lists where lists are due, else the first value of a name.
 * @throws {ApiError} 400 for text that not every database can compare with
 */
export function queryInput(
  schema: z.ZodObject,
  queries: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  const members = new Map<string, unknown>()
  for (const [written, values] of Object.entries(queries)) {
    const name = written.replace(/\[\]$/, '')
    if (!values.every(isStorable))
      throw new ApiError(
        400,
        CODES.invalid_value,
        'expected text without U+0000',
        pointerTo([name]),
      )
    const known = new Map(Object.entries(schema.shape)).get(name)
    members.set(name, known !== undefined && isList(known) ? values : values[0])
  }
  return Object.fromEntries(members)
}

function isList(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isList(schema.unwrap())
  return schema instanceof z.ZodArray
}

/** Text of at most so many characters (code points). */
export const text = (max: number, min = 0): z.ZodString =>
  z
    .string()
    .min(min)
    .refine((value) => value.length <= max || [...value].length <= max, {
      message: `expected at most ${max} characters`,
    })
    .openapi({ maxLength: max })

/** `true` or `false` in a query. */
export const flagQuery = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .openapi({ type: 'boolean' })

/** A list in a query: the name repeated. Bounded, as databases bound what a statement may hold. */
export const listQuery = z.array(z.string()).max(500).optional()
