import { STYLE } from './page-style.js'
import type { PlainProblem, Problem } from './problem.js'

/** Text that is only text, in an element and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

// A lowered portcullis that hangs from the top edge, repeated over any width.
const GATE = `<svg aria-hidden="true"><defs><pattern id="g" width="36" height="80" patternUnits="userSpaceOnUse"><path d="M15 0h6v62l-3 12-3-12zM0 14h36v5H0zM0 42h36v5H0z"/></pattern></defs><rect width="100%" height="80" fill="url(#g)"/></svg>`

function row(label: string, fact: string | number | undefined, element?: string): string {
  if (fact === undefined) return ''
  const text = escapeHtml(String(fact))
  return `<div><dt>${label}</dt><dd>${element ? `<${element}>${text}</${element}>` : text}</dd></div>\n`
}

/** The page for people: self-contained, without script, the same facts as the JSON. */
export function html(problem: PlainProblem & Partial<Problem>): string {
  const { error_code, retry_after, type } = problem
  const title = escapeHtml(problem.title)
  const label = error_code === undefined ? problem.status : `Error ${error_code}`
  const advice = escapeHtml(problem.what_you_should_do)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
${GATE}
<main>
<h1><span>${label}</span> ${title.replace(/^Error [0-9]+: /, '')}</h1>
<h2>What happened</h2>
<p>${escapeHtml(problem.detail)}</p>
<h2>What you should do</h2>
<p>${advice.replace(/^\*\*([^*]+)\*\*/, '<strong>$1</strong>')}</p>
<dl>
${
  row('Ray ID', problem.ray_id, 'code') +
  row('Host', problem.zone) +
  row('Time', problem.timestamp, 'time') +
  row('Status', problem.status) +
  row('Name', problem.error_name, 'code') +
  row('Category', problem.error_category, 'code') +
  row('Retry', retry_after === undefined ? 'No' : `After ${retry_after} seconds`) +
  row('Operator must act', problem.owner_action_required ? 'Yes' : 'No')
}</dl>
${error_code === undefined ? '' : `<p><a href="${escapeHtml(type)}">About error ${error_code}</a></p>\n`}</main>
<footer>${escapeHtml(problem.footer)}</footer>
</body>
</html>
`
}
