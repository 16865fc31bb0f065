import type { ApiDocument, Route, Schema } from './api-document.js'
import { referred } from './kind.js'

type Schemas = ApiDocument['components']['schemas']

/** A command that calls an endpoint. What depends on the caller stands in variables of the shell. */
export function curlExample({ method, path, operation }: Route, schemas: Schemas): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `
  const lines = [`curl ${verb}"$API${address}"`, '-H "Authorization: Bearer $TOKEN"']
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type === 'multipart/form-data') lines.push(...formFields(body!.schema))
  else if (type !== undefined && operation.requestBody?.required === true)
    lines.push(
      `-H "Content-Type: ${type}"`,
      `-d ${quoted(JSON.stringify(exampleOf(body!.schema, schemas), undefined, 2))}`,
    )
  return lines.join(' \\\n  ')
}

const formFields = ({ properties = {}, required = [] }: Schema): readonly string[] =>
  required.map((name) => {
    const { format, enum: values } = properties[name] ?? {}
    return `-F ${name}=${format === 'binary' ? '@openapi.yaml' : String(values?.[0])}`
  })

/** A value that fits a schema: its example, or the least that it asks for. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const name = referred(schema)
  if (name !== undefined) return exampleOf(schemas[name]!, schemas)
  if (schema.example !== undefined) return schema.example
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.allOf ?? []
  if (choice) return exampleOf(choice, schemas)
  const [type] = [schema.type].flat()
  if (type === 'array') return schema.items ? [exampleOf(schema.items, schemas)] : []
  if (type === 'object') {
    const { properties = {}, required = [] } = schema
    const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
    return Object.fromEntries(shown.map((one) => [one, exampleOf(properties[one]!, schemas)]))
  }
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  return schema.format === 'date-time' ? '2026-01-31T12:00:00Z' : 'example'
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
