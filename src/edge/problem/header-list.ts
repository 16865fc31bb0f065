import type { MediaType } from './negotiate.js'
import { STYLE_HASH } from './page-style.js'
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
  ['content-language', 'en'],
  ['referrer-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'SAMEORIGIN'],
]
const CSP = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`

/**
 * The header lines of an answer, names in lower case. What the caller adds goes last, but an invalid
 * pair or one that would replace ours is dropped, and `vary` is merged.
 *
 * @param ray trace id as `rayId` gives it, with its site suffix if it has one
 * @param length byte length of the body
 */
export function headerList(
  { retry_after }: PlainProblem,
  type: MediaType,
  ray: string,
  length: number,
  extra: ProblemContext['headers'] = [],
): readonly Header[] {
  const headers: Header[] = [
    ['content-type', `${type}; charset=utf-8`],
    ['content-length', String(length)],
    ...FIXED,
    ['cf-ray', ray],
  ]
  if (retry_after !== undefined) headers.push(['retry-after', String(retry_after)])
  if (type === 'text/html') headers.push(['content-security-policy', CSP])
  let vary = 'Accept'
  for (const [givenName, givenValue] of extra) {
    const name = givenName.toLowerCase()
    const value = givenValue.trim()
    if (!NAME.test(name) || !VALUE.test(value) || OWN.test(name)) continue
    if (name !== 'vary') headers.push([name, value])
    else {
      for (const field of value.split(',')) {
        if (!/^\s*(?:accept)?\s*$/i.test(field)) vary += `, ${field.trim()}`
      }
    }
  }
  headers.push(['vary', vary])
  return headers
}
