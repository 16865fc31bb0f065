import type { Decision } from '../../edge/index.js'
import { printable, type Terminal } from './terminal.js'

const STYLES = new Map([
  ['pass', 'green'],
  ['log', 'yellow'],
  ['block', 'red'],
] as const)

/** What a decision was about, as far as a line tells it. */
export interface Asked {
  readonly method: string
  readonly host: string
}

/** Prints a decision as one line: `BLOCK 401 GET api.example.com/orders/7 no_valid_token …`. */
export function printDecision(
  { method, host }: Asked,
  decision: Decision,
  { out, paint }: Terminal,
): void {
  const { action, reason, status, target, rule, configurations } = decision
  // A query may hold a token; the path is what was judged.
  const [path = ''] = target.split('?', 1)
  const outcomes = configurations.map(
    ({ id, reason: verdict, key }) => `${id}: ${verdict}${key === null ? '' : ` (${key.kid})`}`,
  )
  const label = `${action.toUpperCase()}${status === null ? '' : ` ${status}`}`.padEnd(9)
  const details = [reason, ...(rule === null ? [] : [`rule ${rule}`]), ...outcomes].join(' · ')
  const style = STYLES.get(action) ?? 'red'
  const request = printable(`${method} ${host}${path}`)
  out(`${paint([style, 'bold'], label)} ${request} ${paint('dim', printable(details))}`)
}

/** The same as one JSON object, for programs. */
export function decisionLine({ method, host }: Asked, decision: Decision, at: number): string {
  const [path = ''] = decision.target.split('?', 1)
  return JSON.stringify({
    time: new Date(at).toISOString(),
    method,
    host,
    path,
    ...decision.toJSON(),
  })
}
