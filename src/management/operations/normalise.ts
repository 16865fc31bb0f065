import { canonicalHost, endpointSegments } from '../../edge/selector/index.js'
import { digest } from '../store/index.js'

/** An operation as somebody writes it. */
export interface OperationInput {
  readonly method: string
  readonly host: string
  readonly endpoint: string
}

/** The same as it is kept, and what tells whether two match the same requests. */
export interface Normalised extends OperationInput {
  readonly match_key: string
}

/** Where an operation is at fault. */
export interface Fault {
  readonly member: 'host' | 'endpoint'
  readonly text: string
}

const VARIABLE = '{}'

/**
 * Normalises an operation of a zone as the gate reads it: A-labels, no dot segments, variables named
 * anew (`{var1}` from left to right, `{hostVar1}` from right to left).
 */
export async function normalise(
  { method, host, endpoint }: OperationInput,
  zone: { readonly name: string; readonly mergeSlashes: boolean },
): Promise<Normalised | Fault> {
  const canonical = canonicalHost(host)
  if (canonical === undefined)
    return fault(
      'host',
      'expected a host name, a variable such as {hostVar1} only as a whole label',
    )
  if (canonical !== zone.name && !canonical.endsWith(`.${zone.name}`))
    return fault('host', `expected ${zone.name} or a host below it`)
  const segments = endpointSegments(endpoint, zone.mergeSlashes)
  if (segments === undefined)
    return fault('endpoint', 'expected a path such as /users/{id}, each variable a whole segment')
  return {
    method,
    host: hostTemplate(canonical),
    endpoint: `/${numbered(segments, 'var').join('/')}`,
    match_key: await digest(`${method} ${canonical} /${segments.join('/')}`),
  }
}

/** A canonical host with its variables named. */
export const hostTemplate = (canonical: string): string =>
  numbered(canonical.split('.').toReversed(), 'hostVar').toReversed().join('.')

function numbered(parts: readonly string[], name: string): readonly string[] {
  let count = 0
  return parts.map((part) => (part === VARIABLE ? `{${name}${++count}}` : part))
}

const fault = (member: Fault['member'], text: string): Fault => ({ member, text })
