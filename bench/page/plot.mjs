import { times } from '../measure/figure.mjs'
import { runtimeLabel } from './runtime-label.mjs'
import { ALGS } from '../subjects/tokens.mjs'

/** Who is shown, with a colour and a shape of its own: neither alone has to tell them apart. */
const SERIES = [
  ['portcullis', 'var(--ours)', 'circle'],
  ['fast-jwt', 'var(--a)', 'square'],
  ['jsonwebtoken', 'var(--b)', 'triangle'],
  ['aws-jwt-verify', 'var(--c)', 'diamond'],
  ['hono/jwt', 'var(--d)', 'cross'],
  ['jose', 'var(--e)', 'plus'],
]
const WIDTH = 920
const LEFT = 76
const RIGHT = 64
const TOP = 92
const LANE = 11
const BAND = LANE * SERIES.length + 14
const PANEL_GAP = 52
const TICKS = [1, 2, 5, 10, 20, 50]
const FURTHEST = 60
/** Panels beyond these would say the same again. */
const SHOWN = ['Node 20', 'Node 24', 'Bun']

const STYLE = `
svg { --paper: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --ours: #0550ae;
  --a: #bc4c00; --b: #116329; --c: #8250df; --d: #9a6700; --e: #a40e26; }
@media (prefers-color-scheme: dark) { svg { --paper: #0d1117; --ink: #f0f6fc; --soft: #9198a1;
  --line: #3d444d; --ours: #79c0ff; --a: #ffa657; --b: #7ee787; --c: #d2a8ff; --d: #e3b341; --e: #ff7b72; } }
text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.title { font-size: 15px; font-weight: 600; } .panel { font-size: 13px; font-weight: 600; }
.soft { fill: var(--soft); } .value { font-size: 10px; } .end { text-anchor: end; } .middle { text-anchor: middle; }
.line { stroke: var(--line); stroke-width: 1; } .mark { fill: none; stroke-width: 2; }`

/**
 * The plot of the suite `verify` as SVG: for each runtime and algorithm, how many times the CPU time
 * of the bare cryptography everyone takes, on a logarithmic scale. Readable in light and dark.
 */
export function plot(results) {
  const panels = SHOWN.map((on) =>
    results.find(({ suite, runtime }) => suite === 'verify' && runtimeLabel(runtime) === on),
  ).filter((result) => result?.rows.length > 0)
  const panelHeight = ALGS.length * BAND
  const height = TOP + panels.length * (panelHeight + PANEL_GAP) + 12
  const parts = panels.map((result, at) =>
    panel(result, TOP + 20 + at * (panelHeight + PANEL_GAP), panelHeight),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="what">
<title id="what">CPU time to verify a token never seen before, as a multiple of the bare check of its signature</title>
<style>${STYLE}</style>
<rect width="100%" height="100%" fill="var(--paper)"/>
<text class="title" x="${LEFT}" y="28">CPU time to verify a token never seen before</text>
<text class="soft" x="${LEFT}" y="47">times the bare check of its signature; further left is faster; peers parse the claims, portcullis when they are read</text>
${legend()}
${parts.join('\n')}
</svg>
`
}

function legend() {
  const step = (WIDTH - LEFT - RIGHT) / SERIES.length
  return SERIES.map(([name, colour, shape], at) => {
    const x = LEFT + 6 + at * step
    return `${mark(shape, colour, x, 68)}<text x="${x + 12}" y="72">${name}</text>`
  }).join('\n')
}

function panel({ runtime, rows }, top, height) {
  const ticks = TICKS.map((tick) => {
    const x = place(tick)
    return `<line class="line" x1="${x}" x2="${x}" y1="${top}" y2="${top + height}"/><text class="soft middle" x="${x}" y="${top + height + 16}">${tick}x</text>`
  })
  const bands = ALGS.map((alg, at) => band(alg, rows, top + at * BAND))
  const title = `${runtimeLabel(runtime)} (${runtime.version})`
  return [
    `<text class="panel" x="${LEFT}" y="${top - 8}">${title}</text>`,
    ...ticks,
    ...bands,
  ].join('\n')
}

function band(alg, rows, top) {
  const rule = `<line class="line" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${top}" y2="${top}"/>`
  const label = `<text class="end" x="${LEFT - 10}" y="${top + BAND / 2 + 4}">${alg}</text>`
  const lanes = SERIES.map(([name, colour, shape], at) => {
    const row = rows.find((each) => each.group === `${alg}, valid` && each.name === name)
    if (row === undefined) return ''
    const y = top + 7 + LANE * (at + 0.5)
    const x = place(row.ratio)
    const stem = `<line x1="${place(1)}" x2="${x}" y1="${y}" y2="${y}" stroke="${colour}" stroke-opacity="0.45"/>`
    return `${stem}${mark(shape, colour, x, y)}<text class="soft value" x="${x + 9}" y="${y + 3.5}">${times(row.ratio)}</text>`
  })
  return [rule, label, ...lanes].filter(Boolean).join('\n')
}

/** A little below 1x there is room for noise. */
function place(ratio) {
  const share =
    Math.log(Math.min(Math.max(ratio, 0.95), FURTHEST) / 0.95) / Math.log(FURTHEST / 0.95)
  return Number((LEFT + share * (WIDTH - LEFT - RIGHT)).toFixed(1))
}

const PATHS = {
  square: 'M-4 -4H4V4H-4Z',
  triangle: 'M0 -5L5 4H-5Z',
  diamond: 'M0 -5L5 0L0 5L-5 0Z',
  cross: 'M-4 -4L4 4M-4 4L4 -4',
  plus: 'M-5 0H5M0 -5V5',
}

function mark(shape, colour, x, y) {
  if (shape === 'circle') return `<circle cx="${x}" cy="${y}" r="5" fill="${colour}"/>`
  return `<path class="mark" stroke="${colour}" transform="translate(${x} ${y})" d="${PATHS[shape]}"/>`
}
