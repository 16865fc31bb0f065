import type { MediaType } from './negotiate.js'
import { STYLE_HASH } from './page-style.js'
import type { PlainProblem, ProblemContext } from './problem.js'

/** Name (lower case) and value of one header line. */
export type Header = readonly [name: string, value: string]

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const VALUE = /^[\t -~\x80-\xff]*$/
const CSP = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`

// What only this room may say about its answer; `retry-after` is here even when it is not sent.
const OWN: ReadonlySet<string> = new Set([
  'cache-control',
  'cf-ray',
  'connection',
  'content-encoding',
  'content-language',
  'content-length',
  'content-security-policy',
  'content-type',
  'referrer-policy',
  'retry-after',
  'transfer-encoding',
  'x-content-type-options',
  'x-frame-options',
])

/** The headers a caller adds, lower case; an invalid pair or one that would replace ours is dropped. */
function foreign(pairs: NonNullable<ProblemContext['headers']>): { vary: string; rest: Header[] } {
  let vary = 'Accept'
  const rest: Header[] = []
  for (const [givenName, givenValue] of pairs) {
    const name = givenName.toLowerCase()
    const value = givenValue.trim()
    if (!NAME.test(name) || !VALUE.test(value) || OWN.has(name)) continue
    if (name !== 'vary') rest.push([name, value])
    else {
      for (const field of value.split(',')) {
        const wanted = field.trim()
        const present = vary.toLowerCase().split(', ')
        if (wanted && !present.includes(wanted.toLowerCase())) vary += `, ${wanted}`
      }
    }
  }
  return { vary, rest }
}

/**
 * The header lines of an answer, names in lower case, values of fixed shapes only.
 *
 * @param ray trace id as `rayId` gives it, with its site suffix if it has one
 * @param length byte length of the body
 */
export function headerList(
  problem: PlainProblem,
  type: MediaType,
  ray: string,
  length: number,
  extra: ProblemContext['headers'],
): readonly Header[] {
  const { vary, rest } = foreign(extra ?? [])
  const headers: Header[] = [
    ['content-type', `${type}; charset=utf-8`],
    ['content-length', String(length)],
    ['cache-control', 'private, no-store'],
    ['vary', vary],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'same-origin'],
    ['x-frame-options', 'SAMEORIGIN'],
    ['content-language', 'en'],
    ['cf-ray', ray],
  ]
  if (problem.retry_after !== undefined) headers.push(['retry-after', String(problem.retry_after)])
  if (type === 'text/html') headers.push(['content-security-policy', CSP])
  return [...headers, ...rest]
}
