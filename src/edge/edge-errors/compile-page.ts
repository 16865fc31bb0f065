import { escapeHtml, type Problem } from '../problem/index.js'
import type { Report } from '../gate/index.js'

type Slot = (problem: Problem) => string

const verdictOf = (text: string): string =>
  escapeHtml(text).replace(/^\*\*([^*]+)\*\*/, '<strong>$1</strong>')

/** What the platform puts into a page of its own: what happened, and what to do. */
const box: Slot = ({ detail, what_you_should_do }) =>
  `<section class="cf-error-details"><h2>What happened</h2><p>${escapeHtml(detail)}</p>` +
  `<h2>What you should do</h2><p>${verdictOf(what_you_should_do)}</p></section>`

const PLACEHOLDERS: ReadonlyMap<string, Slot> = new Map<string, Slot>([
  ['RAY_ID', ({ ray_id }) => ray_id],
  ['ERROR_CODE', ({ error_code }) => String(error_code)],
  ['ERROR_TITLE', ({ title }) => escapeHtml(title)],
  ['ZONE', ({ zone }) => escapeHtml(zone)],
  ['TIMESTAMP', ({ timestamp }) => timestamp],
  ['CLOUDFLARE_ERROR_1000S_BOX', box],
  ['CLOUDFLARE_ERROR_500S_BOX', box],
])

const PLACEHOLDER = /::([A-Z][A-Z0-9_]*)::/

/**
 * A configured error page: HTML with placeholders such as `::RAY_ID::`, each of which becomes text
 * that is escaped for elements and quoted attributes. A name that is no placeholder stays as it is,
 * which is noted.
 */
export function compilePage(source: string, report: Report): (problem: Problem) => string {
  // What is between placeholders stands at even places, their names at odd ones.
  const parts = source.split(PLACEHOLDER).map((part, at): string | Slot => {
    if (at % 2 === 0) return part
    const slot = PLACEHOLDERS.get(part)
    if (slot === undefined) report.notice('unknown_placeholder', `::${part}:: means nothing here`)
    return slot ?? `::${part}::`
  })
  return (problem) =>
    parts.map((part) => (typeof part === 'string' ? part : part(problem))).join('')
}
