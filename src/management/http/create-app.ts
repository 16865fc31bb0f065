import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { answer } from './answer.js'
import { ApiError } from './api-error.js'
import { actorOf, type Authenticate } from './authenticate.js'
import { isStorable, readJson } from './body.js'
import { CODES } from './codes.js'
import { docsAddress, documented } from './documentation.js'
import type { Call, Endpoint } from './endpoint.js'
import { addEntrance, type EntranceOptions } from './entrance.js'
import { failure } from './envelope.js'
import { queryInput, read } from './input.js'
import type { Message } from './message.js'
import { readMultipart } from './multipart.js'
import { describeEndpoint } from './openapi.js'
import { resultInfo, type Page, type ResultInfo } from './page.js'
import { mayAt, type Actor, type Place } from './permissions.js'

/** What an app is made of besides its endpoints. */
export interface AppOptions extends EntranceOptions {
  readonly authenticate: Authenticate
  /** The account of a zone; `undefined` when there is no such zone. */
  readonly accountOf: (zoneId: string) => Promise<string | undefined>
  readonly newId: () => string
  /** Epoch µs. */
  readonly at: () => number
  /** What an area throws, as an answer; `undefined` when it is a fault of the software. */
  readonly convert: (cause: unknown) => ApiError | undefined
  /** Hears of faults of the software and of the store. */
  readonly onFault: (cause: unknown, requestId: string) => void
}

interface Variables {
  requestId: string
}

/** What a caller inside the process says beside its request. */
interface Bindings {
  /** Who calls, known without a token. */
  readonly actor?: Actor
}

interface Env {
  Variables: Variables
  Bindings: Bindings
}

type App = OpenAPIHono<Env>

/** The app of the API: each endpoint with one manner of authentication, input, answers and errors. */
export function createApp(endpoints: readonly Endpoint[], options: AppOptions): App {
  const { base } = options
  const refuse = (c: AppContext, cause: ApiError) => refusal(c, cause, options)
  const app: App = new OpenAPIHono({ strict: false })
  const methods = new TrieRouter<string>()
  app.use(async (c, next) => {
    c.set('requestId', options.newId())
    await next()
    c.res.headers.set('X-Request-Id', c.get('requestId'))
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token, in the header `Authorization: Bearer <token>`.',
  })
  for (const endpoint of endpoints) {
    const path = base + endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
    describeEndpoint(app.openAPIRegistry, endpoint)
    methods.add('ALL', path, endpoint.method.toUpperCase())
    app.on(endpoint.method.toUpperCase(), path, (c) => respond(endpoint, c, options))
  }
  addEntrance(app, methods, options)
  app.notFound((c) => refuse(c, lost(c, methods)))
  app.onError((cause, c) => {
    const known = cause instanceof ApiError ? cause : options.convert(cause)
    if (known !== undefined && known.status < 500) return refuse(c, known)
    options.onFault(cause, c.get('requestId'))
    if (known !== undefined) return refuse(c, known)
    const text = `something broke here; its request id is ${c.get('requestId')}`
    return refuse(c, new ApiError(500, CODES.internal, text))
  })
  return app
}

type AppContext = Context<Env>

async function respond(endpoint: Endpoint, c: AppContext, options: AppOptions): Promise<Response> {
  const actor = c.env.actor ?? (await actorOf(c.req.raw, options.authenticate))
  const params = c.req.param() as Readonly<Record<string, string | undefined>>
  if (Object.values(params).some((value) => value !== undefined && !isStorable(value)))
    throw notFound()
  const place = await placeOf(params, options)
  if (endpoint.permission !== null) admit(actor, endpoint, place)
  const notes: Message[] = []
  let info: ResultInfo | undefined
  const take = <Value>(input: { value: Value; messages: readonly Message[] }): Value => {
    notes.push(...input.messages)
    return input.value
  }
  const { query, body } = endpoint
  const call: Call<unknown, unknown> = {
    actor,
    place,
    request_id: c.get('requestId'),
    at: options.at(),
    query: query && take(read(query, queryInput(query, c.req.queries()))),
    body: body && take(await readBody(endpoint, c.req.raw)),
    param: (name) => params[name] ?? '',
    header: (name) => c.req.header(name),
    note: (...messages) => void notes.push(...messages),
    paged: (listed) => void (info = resultInfo(call.query as Page, listed)),
  }
  const result = await endpoint.handle(call as Call<never, never>)
  if (endpoint.form === 'bare') return result as Response
  return c.json({
    ...answer(endpoint, result, documented(notes, docsAddress(c.req.url, options)), call.query),
    ...(info && { result_info: info }),
  })
}

async function readBody(
  { body, bodyOptional, bodyForm }: Endpoint,
  request: Request,
): Promise<ReturnType<typeof read>> {
  const given = await (bodyForm === 'json' ? readJson(request) : readMultipart(request))
  if (given === undefined && bodyOptional) return { value: undefined, messages: [] }
  if (given === undefined)
    throw new ApiError(400, CODES.malformed_json, 'expected a body, found none')
  return read(body!, given)
}

async function placeOf(
  { zone_id, account_id }: Readonly<Record<string, string | undefined>>,
  options: AppOptions,
): Promise<Place> {
  if (zone_id !== undefined) {
    const account = await options.accountOf(zone_id)
    if (account === undefined) throw notFound()
    return { zone_id, account_id: account }
  }
  return account_id === undefined ? {} : { account_id }
}

function admit(actor: Actor, { permission }: Endpoint, place: Place): void {
  if (permission === null) return
  const verdict = mayAt(actor, permission, place)
  if (verdict === 'hidden') throw notFound()
  if (verdict === 'forbidden') throw forbidden(permission)
}

/** What is not there, and what the caller may not know of: the two must not differ. */
export const notFound = (what = 'object'): ApiError =>
  new ApiError(404, CODES.not_found, `there is no such ${what}`)

export const forbidden = (permission: string): ApiError =>
  new ApiError(403, CODES.forbidden, `the API token lacks the permission ${permission}`)

function lost(c: AppContext, methods: TrieRouter<string>): ApiError {
  const [matched] = methods.match('ALL', c.req.path)
  const allowed = [...new Set(matched.map(([method]) => method))].toSorted()
  if (allowed.length === 0) return notFound('address')
  const text = `${c.req.method.slice(0, 20)} is not possible here; possible: ${allowed.join(', ')}`
  return new ApiError(405, CODES.method_not_allowed, text, undefined, {
    headers: { Allow: allowed.join(', ') },
  })
}

function refusal(
  c: AppContext,
  { status, errors, headers }: ApiError,
  options: AppOptions,
): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  // Clients repeat a 409 unless told not to.
  if (status === 409) c.header('X-Should-Retry', 'false')
  const shown = documented(errors, docsAddress(c.req.url, options))
  return c.json(failure(shown), status as 400)
}
