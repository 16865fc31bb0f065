import { html } from 'hono/html'
import type { Schema } from './api-document.js'
import { between, type Html } from './prose.js'

const REFERENCE = '#/components/schemas/'

/** Name of the object that a schema refers to. */
export const referred = ({ $ref }: Schema): string | undefined =>
  $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined

const value = (one: unknown): Html => html`<code>${JSON.stringify(one)}</code>`

const NAMES: ReadonlyMap<string, string> = new Map([
  ['boolean', 'true or false'],
  ['integer', 'whole number'],
  ['null', 'null'],
  ['number', 'number'],
  ['object', 'object'],
  ['string', 'text'],
])

/** What kind of value a schema describes, in words. */
export function kindOf(schema: Schema): Html {
  const name = referred(schema)
  if (name !== undefined) return html`<a href="#object-${name}">${name}</a>`
  if (schema.enum) return html`${between(schema.enum.map(value), ', ')}`
  const choices = schema.anyOf ?? schema.allOf
  if (choices) return html`${between(distinct(choices).map(kindOf), ' or ')}`
  if (schema.format === 'binary') return html`file`
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return html`any JSON`
  return html`${between(
    types.map((type) => ofType(type, schema)),
    ' or ',
  )}`
}

const isPlain = (schema: Schema): boolean =>
  schema.type === 'object' && schema.properties !== undefined

/** Of inline objects in a choice one stands for all: their members are listed. */
function distinct(choices: readonly Schema[]): readonly Schema[] {
  const first = choices.findIndex(isPlain)
  return choices.filter((schema, at) => !isPlain(schema) || at === first)
}

function ofType(type: string, schema: Schema): Html {
  const { items, additionalProperties: others } = schema
  if (type === 'array') return html`list of ${items ? kindOf(items) : 'any JSON'}`
  if (type === 'object' && typeof others === 'object')
    return html`object whose members are ${kindOf(others)}`
  return html`${NAMES.get(type) ?? type}${schema.format && html` (${schema.format})`}`
}

/** The limits of a value, its default and an example, in words. */
export function limitsOf(schema: Schema): readonly Html[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema
  const limits = [
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' entries'),
    pattern === undefined ? undefined : html`matches <code>${pattern}</code>`,
    schema.default === undefined ? undefined : html`${value(schema.default)} when left out`,
    schema.example === undefined ? undefined : html`such as ${value(schema.example)}`,
    ...(schema.items && !referred(schema.items) ? limitsOf(schema.items) : []),
  ]
  return limits.filter((limit) => limit !== undefined)
}

/** `unit` with the space before it. */
function range(min: number | undefined, max: number | undefined, unit: string): Html | undefined {
  const least = min === 0 ? undefined : min
  if (least === undefined && max === undefined) return undefined
  if (least === undefined) return html`at most ${grouped(max!)}${unit}`
  if (max === undefined) return html`at least ${grouped(least)}${unit}`
  return html`${grouped(least)} to ${grouped(max)}${unit}`
}

const grouped = (number: number): string => number.toLocaleString('en')
