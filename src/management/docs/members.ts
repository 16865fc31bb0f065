import { html } from 'hono/html'
import type { Schema } from './api-document.js'
import { kindOf, limitsOf, referred } from './kind.js'
import { between, prose, type Html } from './prose.js'

/** Something with a name and a value: a member of an object, or a parameter. */
export interface Named {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly description?: string | undefined
}

/** A list of members, each with its kind, limits, and own members. */
export const memberList = (members: readonly Named[]): Html =>
  html`<ul class="members">
    ${members.map(member)}
  </ul>`

function member({ name, schema, required, description = schema.description }: Named): Html {
  const limits = limitsOf(schema)
  return html`<li>
    <code class="name">${name}</code> <span class="kind">${kindOf(schema)}</span>
    ${required && html`<strong>required</strong>`}
    ${limits.length > 0 && html`<small>${between(limits, '; ')}</small>`}
    ${description !== undefined && html`<p>${prose(description)}</p>`} ${inner(schema)}
  </li>`
}

/** The members of a value that has some and is described in no other place. */
export function inner(schema: Schema): Html | undefined {
  const members = membersOf(schema)
  return members.length === 0 ? undefined : memberList(members)
}

function membersOf(schema: Schema): readonly Named[] {
  if (referred(schema) !== undefined) return []
  const { properties = {}, required = [], items, anyOf, additionalProperties: others } = schema
  const own = Object.entries(properties).map(([name, one]) => ({
    name,
    schema: one,
    required: required.includes(name),
  }))
  // In a choice of forms none is required: it depends on the form.
  const chosen = (anyOf ?? []).flatMap(membersOf).map((one) => ({ ...one, required: false }))
  const below = [items, typeof others === 'object' ? others : undefined]
  return [...own, ...chosen, ...below.flatMap((one) => (one ? membersOf(one) : []))]
}
