import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

interface Document {
  readonly components: { readonly schemas: object }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

type Send = (request: Request) => Promise<Response>

/** An OpenAPI document as a judge of the answers of its API. */
export interface Contract {
  /** What is wrong with an answer; `undefined` when nothing is. */
  breach(answer: Answered): string | undefined
  /** Operations that answered with success, by their ids. */
  readonly succeeded: ReadonlySet<string>
  /** All operations of the document. */
  readonly operations: readonly string[]
  /** Gives the answer back, or throws what is wrong with it. */
  judge(request: Request, response: Response): Promise<Response>
  /** Sends a request, and judges its answer and that it was taken. */
  ask(send: Send, request: Request): Promise<Response>
  /** The same over HTTP. */
  readonly fetch: typeof fetch
  /** What those found wrong, for callers who take what is thrown for something else. */
  readonly breaches: readonly string[]
}

/** An answer with the request that it is for. */
export interface Answered {
  readonly method: string
  /** Below the base, or the whole address. */
  readonly path: string
  readonly status: number
  readonly type: string | null
  readonly text: string
  /** What was sent, where that was JSON. */
  readonly sent?: string | undefined
}

const BASE = '/client/v4'
const JSON_TYPE = 'application/json'
/** Of what the document does not describe, as it is no endpoint. */
const FAILURE_ELSEWHERE = new Set([404, 405, 500])

/** The OpenAPI document of the API that `send` reaches at `origin`, judged by a validator not our own. */
export async function contractOf(send: Send, origin = 'http://management.test'): Promise<Contract> {
  const told = await send(new Request(`${origin}${BASE}/openapi.json`))
  const document = (await told.json()) as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(closed(document, document.components.schemas) as object, 'answers')
  ajv.addSchema(document, 'requests')
  const routes = Object.entries(document.paths)
    .map(([path, operations]) => ({ path, ...patternOf(path), operations }))
    .toSorted((one, other) => one.variables - other.variables)
  const validators = new Map<string, ValidateFunction>()
  function check(place: string, value: unknown): string | undefined {
    const validate = validators.get(place) ?? ajv.compile({ $ref: place })
    validators.set(place, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
  const succeeded = new Set<string>()

  function breach({ method, path, status, type, text, sent }: Answered): string | undefined {
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
    const [plain = ''] = path.replace(/^https?:\/\/[^/]+\/client\/v4/, '').split('?')
    const said = (problem: string) => `${method} ${path} ${status}: ${problem}`
    const route = routes.find(
      ({ pattern, operations }) => pattern.test(plain.replace(/\/$/, '')) && verb in operations,
    )
    if (route === undefined) {
      if (!FAILURE_ELSEWHERE.has(status)) return undefined
      const fault = check('answers#/components/schemas/Failure', JSON.parse(text || 'null'))
      return fault && method !== 'HEAD' ? said(fault) : undefined
    }
    const operation = route.operations[verb]!
    const described = operation.responses[status]
    if (described === undefined) return said('the document does not know this status')
    if (status < 300) succeeded.add(operation.operationId)
    if (status < 300 && sent !== undefined && operation.requestBody?.content[JSON_TYPE]) {
      const at = ['paths', route.path, verb, 'requestBody', 'content', JSON_TYPE, 'schema']
      const fault = check(`requests#${pointerTo(at)}`, JSON.parse(sent))
      if (fault !== undefined) return said(`taken, though the document forbids ${sent}: ${fault}`)
    }
    const [[media, content] = []] = Object.entries(described.content ?? {})
    if (method === 'HEAD' || media === undefined)
      return text === '' ? undefined : said('there should be no body')
    if (type?.split(';')[0] !== media) return said(`${type} is not ${media}`)
    if (media !== JSON_TYPE) return undefined
    const at = ['paths', route.path, verb, 'responses', status, 'content', media, 'schema']
    const fault = content && check(`answers#${pointerTo(at)}`, JSON.parse(text))
    return fault && said(fault)
  }

  const breaches: string[] = []
  async function judge(
    { method, url: path }: Request,
    response: Response,
    sent?: string,
  ): Promise<Response> {
    const type = response.headers.get('content-type')
    // A stream of events has no end to wait for.
    const text = type?.startsWith('text/event-stream') ? '' : await response.clone().text()
    const found = breach({ method, path, status: response.status, type, text, sent })
    if (found === undefined) return response
    breaches.push(found)
    throw new Error(found)
  }
  async function ask(via: Send, request: Request): Promise<Response> {
    const isJson = request.headers.get('content-type') === JSON_TYPE
    const sent = isJson ? await request.clone().text() : undefined
    return judge(request, await via(request), sent)
  }
  return {
    breach,
    judge,
    breaches,
    succeeded,
    operations: routes.flatMap(({ operations }) =>
      Object.values(operations).map(({ operationId }) => operationId),
    ),
    ask,
    fetch: (input, init) => ask(fetch, new Request(input, init)),
  }
}

/** A sender whose answers are judged by the document of the API that it sends to. */
export function judged(send: Send): Send {
  let contract: Promise<Contract> | undefined
  return async (request) => {
    contract ??= contractOf(send, new URL(request.url).origin)
    return (await contract).ask(send, request)
  }
}

/** A fetch whose answers are judged by the document of the API at an origin. */
export function judgedFetch(origin: string): typeof fetch {
  let contract: Promise<Contract> | undefined
  return async (input, init) => (await (contract ??= contractOf(fetch, origin))).fetch(input, init)
}

interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** The same with every object closed: a member that the document does not list is a breach, too. */
function closed(part: unknown, schemas: object): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((one) => closed(one, schemas))
  const all = (part as Schema).allOf?.map((schema) => resolved(schema, schemas))
  const whole = all === undefined ? part : merged(all)
  const members = Object.fromEntries(
    Object.entries(whole).map(([name, one]) => [name, closed(one, schemas)]),
  )
  const isObject = members['type'] === 'object' && typeof members['properties'] === 'object'
  return isObject ? { additionalProperties: false, ...members } : members
}

const resolved = ({ $ref, ...schema }: Schema, schemas: object): Schema =>
  $ref === undefined
    ? schema
    : (Object.entries(schemas).find(([name]) => $ref.endsWith(`/${name}`))?.[1] as Schema)

/** Objects of which a value is each: they can be closed only as one. */
const merged = (all: readonly Schema[]): object => ({
  type: 'object',
  properties: Object.assign({}, ...all.map(({ properties }) => properties)),
  required: all.flatMap(({ required = [] }) => required),
})

const pointerTo = (steps: readonly (string | number)[]): string =>
  steps
    .map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
    .map((step) => `/${encodeURIComponent(step)}`)
    .join('')

function patternOf(path: string): { readonly pattern: RegExp; readonly variables: number } {
  const parts = path.split(/\{\w+\}/)
  return { pattern: new RegExp(`^${parts.join('[^/]+')}$`), variables: parts.length - 1 }
}
