import { plainBrand, type Brand } from './brand.js'
import { catalogue } from './catalogue.js'
import { escapeHtml } from './escape-html.js'
import type { Side } from './family.js'
import type { PlainProblem, Problem } from './problem.js'

const STATIONS: readonly (readonly [side: Side, name: string])[] = [
  ['client', 'Your client'],
  ['edge', 'The edge'],
  ['site', 'The site'],
]

/** The way of the request, and where on it the cause lies. */
const WAYS: ReadonlyMap<Side, string> = new Map(
  STATIONS.map(([cause]) => {
    const stations = STATIONS.map(([side, name]) =>
      side === cause
        ? `<li class="cause">${name} <span>Cause</span></li>`
        : `<li>${name} <span>Working</span></li>`,
    )
    return [cause, `<ol>${stations.join('')}</ol>`]
  }),
)

function row(label: string, fact: string | number | undefined, element?: string): string {
  if (fact === undefined) return ''
  const text = escapeHtml(String(fact))
  return `<div><dt>${label}</dt><dd>${element ? `<${element}>${text}</${element}>` : text}</dd></div>\n`
}

/** The page for people: self-contained, without script, the same facts as the JSON. */
export function html(
  problem: PlainProblem & Partial<Problem>,
  { style, header }: Brand = plainBrand,
): string {
  const { error_code, retry_after, type } = problem
  const title = escapeHtml(problem.title)
  const label = error_code === undefined ? problem.status : `Error ${error_code}`
  const side = error_code === undefined ? undefined : catalogue.get(error_code)?.side
  const advice = escapeHtml(problem.what_you_should_do)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>${header}</header>
<main>
<h1><span>${label}</span> ${title.replace(/^Error [0-9]+: /, '')}</h1>
${side === undefined ? '' : WAYS.get(side)}
<section>
<h2>What happened</h2>
<p>${escapeHtml(problem.detail)}</p>
</section>
<section class="do">
<h2>What you should do</h2>
<p>${advice.replace(/^\*\*([^*]+)\*\*/, '<strong>$1</strong>')}</p>
</section>
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
