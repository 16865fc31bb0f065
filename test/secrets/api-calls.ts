import { judgedFetch } from '../management/contract.js'
import { badBodies, badDocuments } from './bad-bodies.js'
import type { GoodCall } from './good-calls.js'

/** An operation of the OpenAPI document. */
interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

/** The API under search: every answer but those that tell a secret goes to `heard`. */
export interface ApiUnderSearch {
  readonly base: string
  readonly token: string
  readonly heard: Map<string, string>
}

interface Sent {
  /** What the answer is called among all that was heard. */
  readonly place: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
  readonly tells?: boolean
}

/** How often each operation of the document succeeded, and failed. */
export type Coverage = Map<string, { good: number; bad: number }>

/** Drives every operation of the document, well and badly. */
export async function createDriver({ base, token, heard }: ApiUnderSearch) {
  const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, described]) => [`${method.toUpperCase()} ${path}`, described] as const,
    ),
  )
  const coverage: Coverage = new Map(operations.map(([name]) => [name, { good: 0, bad: 0 }]))
  /** What answers told, by the names of good calls. */
  const ids = new Map([
    ['phase', 'http_custom_errors'],
    ['plan_id', 'pro'],
    ['identifier', '1020'],
  ])
  const good = new Map<string, unknown>()
  const api = judgedFetch(new URL(base).origin)

  const filled = (text: string): string =>
    text
      .replaceAll(/"\{(\w+_number)\}"/g, (written, name: string) => ids.get(name) ?? written)
      .replaceAll(/\{(\w+)\}/g, (written, name: string) => ids.get(name) ?? written)

  async function send({ place, method, path, headers, body, tells }: Sent): Promise<Answered> {
    const response = await api(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await textOf(response)
    if (tells !== true) {
      const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      heard.set(`answer ${heard.size}: ${place}`, `${response.status}\n${head}\n\n${text}`)
    }
    return { status: response.status, text }
  }

  async function succeed(call: GoodCall): Promise<void> {
    const [method = '', template = ''] = call.operation.split(' ')
    for (const [name, other] of Object.entries(call.at ?? {})) ids.set(name, ids.get(other) ?? '')
    const json = call.body === undefined ? undefined : filled(JSON.stringify(call.body))
    const body = call.form ? formOf(call.form) : json
    if (json !== undefined && !good.has(call.operation)) good.set(call.operation, JSON.parse(json))
    const { status, text } = await send({
      place: call.operation,
      method,
      path: filled(template),
      ...(json !== undefined && { headers: { 'content-type': 'application/json' } }),
      ...(body !== undefined && { body }),
      tells: call.tells ?? false,
    })
    if (status !== 200) throw new Error(`${call.operation} answers ${status}: ${text}`)
    coverage.get(call.operation)!.good++
    for (const [name, place] of Object.entries(call.keep ?? {}))
      ids.set(name, String(at((JSON.parse(text) as { result: unknown }).result, place)))
  }

  /** Every operation that only reads. */
  async function readAll(): Promise<void> {
    for (const [operation] of operations)
      if (operation.startsWith('GET '))
        await succeed({ operation, tells: operation.endsWith('/gate/policy') })
  }

  /** Every operation with the secret where it does not belong. */
  async function misuse(secret: string): Promise<void> {
    for (const [operation, described] of operations)
      for (const call of bad(operation, described, secret)) {
        const { status } = await send({ ...call, place: `${operation} ${call.place}` })
        if (status >= 400) coverage.get(operation)!.bad++
        if (status >= 500) throw new Error(`${operation} answers ${status}`)
      }
  }

  function* bad(operation: string, described: Described, secret: string): Generator<Sent> {
    const unnamed = (text: string) => text.replaceAll(secret, 'SECRET').slice(0, 200)
    const [method = '', template = ''] = operation.split(' ')
    const path = filled(template)
    const tells = operation === 'GET /zones/{zone_id}/gate/policy'
    const value = encodeURIComponent(secret)
    for (const authorization of [
      '',
      secret,
      `Bearer ${secret}x`,
      `Bearer x${secret}`,
      `Bearer ${secret} ${secret}`,
      `Basic ${btoa(`${secret}:${secret}`)}`,
    ])
      yield {
        place: 'without a token',
        method,
        path: `${path}?access_token=${value}&k=${value}`,
        headers: { authorization },
      }
    yield { place: 'with another method', method: 'OPTIONS', path }
    yield { place: 'with more path', method, path: `${path}/${value}/${value}` }
    for (const [variable] of template.matchAll(/\{\w+\}/g))
      yield {
        place: `with another ${variable}`,
        method,
        path: filled(template.replace(variable, value)),
      }
    const queries = (described.parameters ?? []).filter((each) => each.in === 'query')
    for (const { name } of queries)
      yield { place: `with ?${name}`, method, path: `${path}?${name}=${value}`, tells }
    if (method === 'GET')
      yield { place: 'with an unknown ?', method, path: `${path}?${value}=${value}`, tells }
    const form = described.requestBody?.content['multipart/form-data'] !== undefined
    if (form)
      for (const document of badDocuments(secret))
        yield {
          place: `with the form ${unnamed(document)}`,
          method,
          path,
          body: formOf({ kind: 'openapi_v3', file: [document] }),
        }
    const sample = good.get(operation)
    if (described.requestBody === undefined) return
    const bodies = [...badBodies(sample ?? {}, secret)]
    if (typeof sample === 'object' && sample !== null && 'source' in sample)
      for (const source of badDocuments(secret))
        bodies.push({ type: 'application/json', text: JSON.stringify({ ...sample, source }) })
    for (const { type, text } of bodies)
      yield {
        place: `with ${unnamed(text)}`,
        method,
        path,
        headers: { 'content-type': type },
        body: text,
      }
  }

  return { ids, coverage, succeed, readAll, misuse, send }
}

interface Answered {
  readonly status: number
  readonly text: string
}

function formOf(fields: NonNullable<GoodCall['form']>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') form.set(name, value)
    else form.set(name, new Blob([value[0]]), 'document.yaml')
  return form
}

/** Of a stream of events the first piece alone: it has no end. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

/** A place in a value, its steps separated by dots; the value itself for none. */
const at = (value: unknown, place: string): unknown =>
  place === ''
    ? value
    : place.split('.').reduce((part, step) => (part as Record<string, unknown>)[step], value)
