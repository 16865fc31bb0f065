import { membersOf, type Members } from './members.js'

/** References to references: more than any document needs, and an end for circles. */
const MAX_STEPS = 16

/**
 * An object of a document with its `$ref` followed within the document; what stands beside a reference
 * comes before what it refers to. `undefined` when it leads out of the document or nowhere.
 */
export function resolve(value: unknown, document: unknown): Members | undefined {
  let members = membersOf(value)
  for (let step = 0; members?.has('$ref'); step++) {
    const { $ref: reference, ...beside } = Object.fromEntries(members)
    if (step === MAX_STEPS || typeof reference !== 'string') return undefined
    const target = membersOf(at(reference, document))
    members = target && new Map([...target, ...Object.entries(beside)])
  }
  return members
}

function at(reference: string, document: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined
  let place = document
  for (const step of reference.slice(2).split('/')) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    place = Array.isArray(place) ? place[Number(name)] : membersOf(place)?.get(name)
  }
  return place
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
