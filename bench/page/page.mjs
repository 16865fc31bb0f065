import { checkBounds } from './check-bounds.mjs'
import { shareText } from '../measure/compare-rows.mjs'
import { figure, times } from '../measure/figure.mjs'
import { matrixOf } from './matrix-of.mjs'
import { tableOf } from '../measure/columns.mjs'
import { paceOf } from './pace.mjs'
import { runtimeLabel } from './runtime-label.mjs'
import { slowerThanPeers } from './slower-than-peers.mjs'
import { SUITES } from '../suites.mjs'

const METHOD =
  `CPU µs is the time that the process spent on one operation, all its threads together: the median over rounds in which
all candidates of a table took turns, part by part. Each turn begins with calls that do not count, half as many as
those that do, and of servers as many, since the turn before left other things in the core’s caches. Work on other
threads and on the machine slows a probe down: of a round those parts count that lie between two probes that were not
slow, where it has such parts, and of all rounds those that have some, where there are five. Turns of other processes
wait for a quiet moment, and not for long. A ratio is against the first row of its table. Ratios, bounds that compare
rows, and what is said of peers are the median of the rounds’ own shares and differences, which other work disturbs
less: they may differ from what two figures of a table make. Beside shares of bounds and of peers stands the interval
in which the true one lies with 95 %, as far as the rounds of this run can tell, or with 94 % where they are five:
where it holds 1x, they cannot tell which is faster. Where no bound is set, on other runtimes and in other tables,
rounds are fewer and shorter, and wait for nothing. Tokens come as a server’s header lines do, each in a string of its
own, so that no hash of it is
remembered.`.replaceAll('\n', ' ')

/** The page of results as Markdown: every word of it comes from the run. */
export function page(all, plotFile) {
  const { results } = all
  const paced = paceOf(results)
  return [
    '# Results',
    `Written by \`npm run bench\`, never by hand. ${ranOn(all)}`,
    METHOD,
    `![CPU time of verification beside peers](${plotFile})`,
    '## Bounds',
    ...(paced === undefined ? [] : [paceSentences(paced)]),
    boundsTable(results, paced?.pace),
    '## Slower than a peer',
    slowerSentences(results),
    ...SUITES.flatMap((suite) => section(suite, results)),
    '## Versions',
    versionsOf(all),
  ].join('\n\n')
}

function ranOn({ date, machine, minutes }) {
  const { cpu, cores, memory_gb, system } = machine
  return `${date.slice(0, 10)}, in ${figure(minutes)} minutes, on ${system} with ${cores} cores (${cpu}) and ${memory_gb} GB.`
}

const VERDICTS = new Map([
  [true, 'holds'],
  [false, '**does not hold**'],
  [undefined, 'not measured'],
])

const AT_THAT_PACE = new Map([
  [true, ', at that pace it does'],
  [false, ', at that pace it does not'],
])

/** A verdict is upon what was measured; beside it stands whether another pace makes another one. */
function boundsTable(results, pace) {
  const ifPaced = (cell) => (pace === undefined ? [] : [cell])
  const rows = checkBounds(results, { pace }).map(
    ({ what, on, bound, measured, holds, paced = '', holdsPaced }) => {
      const verdict = VERDICTS.get(holds)
      const beside =
        holdsPaced === undefined || holdsPaced === holds ? '' : AT_THAT_PACE.get(holdsPaced)
      return [what, on, bound, measured, ...ifPaced(paced), verdict + beside]
    },
  )
  return markdown(['what', 'on', 'at most', 'measured', ...ifPaced('at that pace'), ''], rows)
}

function paceSentences({ pace, marks }) {
  const took = (when) => marks.map((mark) => `${mark.what} ${figure(mark[when])}`).join(', ')
  return `The bounds in µs were set on a machine that took on Node 20, of work that is not ours: ${took('before')}. The one of this run took ${took('now')}: ${times(pace)} as long, in the middle of the four. The column “at that pace” tells what was measured divided by that; what holds is said of what was measured.`
}

function slowerSentences(results) {
  const slower = slowerThanPeers(results)
  if (slower.length === 0) return 'Nothing was slower than a peer in this run.'
  return slower
    .map(({ suite, on, group, ours, peer }) => {
      const took = (row) => `${row.name} took ${figure(row.cpu_us)} µs`
      return `- ${titleOf(suite)}, ${group}, ${on}: ${took(ours)}, ${took(peer)}: ${shareText(ours, peer)}.`
    })
    .join('\n')
}

const titleOf = (name) => SUITES.find((suite) => suite.name === name).title

function section({ name, title, about, everywhere }, results) {
  const ran = results.filter(({ suite }) => suite === name)
  if (ran.length === 0) return []
  const notes = ran.flatMap(({ runtime, failed, skipped, notes: said = [] }) => [
    ...(failed === undefined ? [] : [`**Failed** on ${runtimeLabel(runtime)}: ${failed}.`]),
    ...(skipped === undefined ? [] : [`Left out: ${skipped}.`]),
    ...said.map((note) => `${note}.`),
  ])
  const groups = [...new Set(ran.flatMap(({ rows }) => rows.map(({ group }) => group)))]
  const tables = groups.flatMap((group) => {
    const { head, body } = everywhere
      ? matrixOf(ran, group)
      : tableOf(ran[0].rows.filter((row) => row.group === group))
    return [...(group === undefined ? [] : [`### ${group}`]), markdown(head, body)]
  })
  return [`## ${title}`, about, ...notes, ...tables]
}

function versionsOf({ versions, runtimes }) {
  const rows = [
    ...Object.entries(versions),
    ...runtimes.map(({ id, name, version }) => [version ? name : id, version]),
  ]
  return markdown(
    ['', 'version'],
    rows.map(([name, version]) => [name, version ?? 'not installed']),
  )
}

/** Names to the left, everything else to the right. */
function markdown(head, body) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '--:'))
  return [head, rule, ...body].map(line).join('\n')
}
