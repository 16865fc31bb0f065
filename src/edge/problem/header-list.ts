import type { PlainProblem, ProblemContext } from './problem.js'

/** Name (lower case) and value of one header line. */
export type Header = readonly [name: string, value: string]

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const VALUE = /^[\t -~\x80-\xff]*$/
// What only this room may say about its answer.
const OWN =
  /^(?:cache-control|cf-ray|connection|content-.*|referrer-policy|retry-after|transfer-encoding|x-(?:content-type|frame)-options)$/

const FIXED: readonly Header[] = [
  ['cache-control', 'private, no-store'],
  ['referrer-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'SAMEORIGIN'],
]
const LANGUAGE: Header = ['content-language', 'en']

/** What the header of an answer says of its body. */
export interface BodyFacts {
  /** Media type without parameters. */
  readonly type: string
  /** Bytes. */
  readonly length: number
  /** True when the body is one of ours, chosen by `Accept`; else it is the operator's own. */
  readonly negotiated: boolean
  /** Content-Security-Policy, of a page. */
  readonly policy?: string | undefined
}

/**
 * The header lines of an answer, names in lower case. What the caller adds goes last, but an invalid
 * pair or one that would replace ours is dropped, and `vary` is merged.
 *
 * @param ray trace id as `rayId` gives it, with its site suffix if it has one
 */
export function headerList(
  { retry_after }: PlainProblem,
  { type, length, negotiated, policy }: BodyFacts,
  ray: string,
  extra: ProblemContext['headers'] = [],
): readonly Header[] {
  const headers: Header[] = [
    ['content-type', `${type}; charset=utf-8`],
    ['content-length', String(length)],
    ...FIXED,
    ['cf-ray', ray],
  ]
  if (retry_after !== undefined) headers.push(['retry-after', String(retry_after)])
  if (negotiated) headers.push(LANGUAGE)
  if (policy !== undefined) headers.push(['content-security-policy', policy])
  const vary = negotiated ? ['Accept'] : []
  for (const [givenName, givenValue] of extra) {
    const name = givenName.toLowerCase()
    const value = givenValue.trim()
    if (!NAME.test(name) || !VALUE.test(value) || OWN.test(name)) continue
    if (name === 'vary') vary.push(...fieldsOf(value, negotiated))
    else headers.push([name, value])
  }
  if (vary.length > 0) headers.push(['vary', vary.join(', ')])
  return headers
}

/** The field names of one `vary`, without those that are there already. */
function fieldsOf(value: string, negotiated: boolean): readonly string[] {
  const known = negotiated ? /^(?:accept)?$/i : /^$/
  return value
    .split(',')
    .map((field) => field.trim())
    .filter((field) => !known.test(field))
}
