import { STYLE } from './page-style.js'
import type { PlainProblem, Problem } from './problem.js'

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Text that is only text, in an element and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES.get(char) ?? '')
}

// A lowered portcullis that hangs from the top edge, repeated over any width.
const GATE = `<svg aria-hidden="true"><defs><pattern id="g" width="36" height="80" patternUnits="userSpaceOnUse"><path d="M15 0h6v62l-3 12-3-12zM0 14h36v5H0zM0 42h36v5H0z"/></pattern></defs><rect width="100%" height="80" fill="url(#g)"/></svg>`

function rows(problem: Partial<Problem> & PlainProblem): string {
  const { retry_after, timestamp, type } = problem
  const code = (text: string | number) => `<code>${escapeHtml(String(text))}</code>`
  const facts: (readonly [label: string, markup: string | undefined])[] = [
    ['Ray ID', code(problem.ray_id)],
    ['Host', escapeHtml(problem.zone)],
    [
      'Time',
      `<time datetime="${timestamp}">${timestamp.replace('T', ' ').replace('Z', ' UTC')}</time>`,
    ],
    ['Status', String(problem.status)],
    ['Name', problem.error_name && code(problem.error_name)],
    ['Category', problem.error_category && code(problem.error_category)],
    ['Retry', retry_after === undefined ? 'No' : `After ${retry_after} seconds`],
    ['Operator must act', problem.owner_action_required ? 'Yes' : 'No'],
    [
      'Reference',
      problem.error_code === undefined
        ? undefined
        : `<a href="${escapeHtml(type)}">Error ${problem.error_code}</a>`,
    ],
  ]
  return facts
    .map(([label, markup]) => (markup ? `<div><dt>${label}</dt><dd>${markup}</dd></div>\n` : ''))
    .join('')
}

/** The page for people: self-contained, without script, the same facts as the JSON. */
export function html(problem: PlainProblem | Problem): string {
  const label = 'error_code' in problem ? `Error ${problem.error_code}` : `Status ${problem.status}`
  const headline = escapeHtml(problem.title.replace(/^Error [0-9]+: /, ''))
  const advice = escapeHtml(problem.what_you_should_do).replace(
    /^\*\*([^*]+)\*\*/,
    '<strong>$1</strong>',
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(problem.title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
${GATE}
<main>
<h1><span>${label}</span> ${headline}</h1>
<h2>What happened</h2>
<p>${escapeHtml(problem.detail)}</p>
<h2>What you should do</h2>
<p>${advice}</p>
<dl>
${rows(problem)}</dl>
</main>
<footer>${escapeHtml(problem.footer)}</footer>
</body>
</html>
`
}
