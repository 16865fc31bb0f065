import { z } from '@hono/zod-openapi'
import type { Message } from './message.js'
import type { Listed, Page } from './page.js'
import type { Actor, Permission, Place } from './permissions.js'

/** One call of an endpoint, read and judged: whoever calls may. */
export interface Call<Query, Body> {
  readonly actor: Actor
  readonly request_id: string
  /** Epoch µs. */
  readonly at: number
  /** The account and the zone that the path names. */
  readonly place: Place
  readonly query: Query
  readonly body: Body
  /** A variable of the path, decoded. */
  param(name: string): string
  /** A header of the request. */
  header(name: string): string | undefined
  /** Adds to the answer's `messages`. */
  note(...messages: readonly Message[]): void
  /** Adds `result_info` to an answer whose result is more than a list. */
  paged(listed: Listed<unknown>): void
}

/** An endpoint as data: what it takes, who may, what it answers. The path is written as OpenAPI does. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** Null: every valid token may call, and the handler looks closer. */
  readonly permission: Permission | null
  readonly query: z.ZodObject | undefined
  readonly body: z.ZodType | undefined
  /** Headers that the handler looks at, as the OpenAPI document tells of them. */
  readonly headers?: z.ZodObject
  readonly bodyOptional: boolean
  /** How the body is written. */
  readonly bodyForm: 'json' | 'multipart'
  readonly result: z.ZodType
  readonly form: 'envelope' | 'paged' | 'flat' | 'bare'
  /** Of a bare answer, which is no JSON in the envelope. */
  readonly mediaType?: string
  /** When a bare answer is 304, and has no body. */
  readonly notModified?: string
  /** It may answer 429, with `Retry-After`. */
  readonly budgeted?: boolean
  readonly handle: (call: Call<never, never>) => Promise<unknown>
}

type Base = Pick<Endpoint, 'method' | 'path' | 'tag' | 'summary' | 'permission' | 'budgeted'>

interface Definition<
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Result extends z.ZodType,
> extends Base {
  readonly query?: Query
  readonly body?: Body
  readonly result: Result
}

const NO_INPUT = {
  query: undefined,
  body: undefined,
  bodyOptional: false,
  bodyForm: 'json',
} as const

type Read<Schema extends z.ZodType> = z.ZodType extends Schema ? undefined : z.output<Schema>

/** An endpoint that answers a result in the envelope. */
export function endpoint<
  Result extends z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
>(
  definition: Definition<Query, Body, Result> & {
    /** A call without a body is read as one with the body `undefined`. */
    readonly bodyOptional?: boolean
    /** JSON unless it is said to be a form. */
    readonly bodyForm?: Endpoint['bodyForm']
    readonly handle: (call: Call<z.output<Query>, Read<Body>>) => Promise<z.input<Result>>
  },
): Endpoint {
  return { ...NO_INPUT, form: 'envelope', ...definition }
}

/** An endpoint that answers a page of a list. `result` is the schema of one item. */
export function listEndpoint<Result extends z.ZodType, Query extends z.ZodObject>(
  definition: Base & {
    readonly query: Query
    readonly result: Result
    readonly handle: (
      call: Call<z.output<Query> & Page, undefined>,
    ) => Promise<Listed<z.input<Result>>>
  },
): Endpoint {
  const { result, ...rest } = definition
  return { ...NO_INPUT, ...rest, result: z.array(result), form: 'paged' }
}

/** An endpoint whose result's members stand in the envelope itself, and under `result` as well. */
export function flatEndpoint<Result extends z.ZodObject, Body extends z.ZodType>(
  definition: Base & {
    readonly body: Body
    readonly result: Result
    readonly handle: (call: Call<unknown, z.output<Body>>) => Promise<z.input<Result>>
  },
): Endpoint {
  return { ...NO_INPUT, ...definition, form: 'flat' }
}

/** An endpoint that answers as it likes where it succeeds: `result` describes the body alone. */
export function bareEndpoint(
  definition: Base & {
    readonly result: z.ZodType
    readonly mediaType: string
    readonly headers?: z.ZodObject
    readonly notModified?: string
    readonly handle: (call: Call<unknown, unknown>) => Promise<Response>
  },
): Endpoint {
  return { ...NO_INPUT, ...definition, form: 'bare' }
}

/** The zone that a call is about: there is one where the path has `{zone_id}`. */
export const zoneIdOf = ({ place }: Call<unknown, unknown>): string => place.zone_id ?? ''
