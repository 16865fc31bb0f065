import { ApiError, isStorable, message, type Message } from '../http/index.js'
import { CODES } from './codes.js'
import { byteLength, LIMITS } from './limits.js'
import type { PageKind } from './page-identifiers.js'

const FROM_ELSEWHERE =
  /<(?:script|img|link|iframe|source|video|audio|embed|object)\b[^<>]*?\b(?:src|href|data) *= *["']? *(?:https?:)?\/\//i

/** What is odd about a page: where it holds, what to tell. */
const ODDITIES: readonly (readonly [
  holds: (content: string, kind: PageKind) => boolean,
  tell: (kind: PageKind) => string,
])[] = [
  [
    (content, { required }) => required.some((token) => !content.includes(token)),
    ({ required }) =>
      `the page does not hold ${required.join(', ')}: it tells nobody what happened`,
  ],
  [
    (content) => !/<head\b/i.test(content),
    () => 'the page has no element <head>, without which other platforms refuse it',
  ],
  [
    (content) => FROM_ELSEWHERE.test(content),
    () =>
      'the page loads from elsewhere: write it into the page, or it is missing when needed most',
  ],
]

/**
 * What is to be told of a page that is saved.
 * @throws {ApiError} 400 for what is no page
 */
export function checkPage(content: string, kind: PageKind, pointer: string): readonly Message[] {
  const refuse = (text: string) => new ApiError(400, CODES.invalid_page, text, pointer)
  const size = byteLength(content)
  if (size > LIMITS.page)
    throw refuse(`expected a page of at most ${LIMITS.page} bytes, found ${size}`)
  if (!isStorable(content)) throw refuse('expected text without U+0000 and lone surrogates')
  if (!/<[a-z!]/i.test(content)) throw refuse('expected a page of HTML')
  return ODDITIES.filter(([holds]) => holds(content, kind)).map(([, tell]) =>
    message(CODES.page_notice, tell(kind), pointer),
  )
}
