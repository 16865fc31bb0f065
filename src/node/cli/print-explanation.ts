import type { Explanation } from '../../edge/index.js'
import { printable, type Terminal } from './terminal.js'

const RESULTS: ReadonlyMap<unknown, readonly [mark: string, style: 'green' | 'red' | 'dim']> =
  new Map<unknown, readonly [string, 'green' | 'red' | 'dim']>([
    ['ok', ['✓', 'green']],
    ['failed', ['✗', 'red']],
    ['not_reached', ['·', 'dim']],
    [true, ['✓', 'green']],
    [false, ['✗', 'red']],
  ])

/** What the checks of a token are called where people read. */
const CHECKS = new Map([
  ['present', 'a source has a token'],
  ['unambiguous', 'sources agree'],
  ['size', 'not too long'],
  ['form', 'three canonical base64url parts, the header an object'],
  ['crit', 'no critical header'],
  ['alg', 'the algorithm of that key'],
  ['kid', 'kid and algorithm name a key'],
  ['claims', 'the payload an object, exp and nbf numbers'],
  ['exp', 'not expired'],
  ['nbf', 'already valid'],
])

const VERDICTS = new Map([
  ['pass', 'green'],
  ['log', 'yellow'],
  ['block', 'red'],
] as const)

/** Prints an explanation as a person reads it: from the request down to the decision. */
export function printExplanation(explanation: Explanation, terminal: Terminal): void {
  const { out, paint } = terminal
  const { request, zone, operation, decision } = explanation
  const heading = (name: string, text: string) => out(`${paint('bold', name.padEnd(14))}${text}`)
  heading('request', printable(`${request.method} ${request.host}${request.path}`))
  heading('zone', zone === null ? 'none: the host belongs to no zone' : `${zone.name} (${zone.id})`)
  heading(
    'operation',
    operation === null
      ? 'none matches'
      : `${operation.method} ${operation.host}${operation.endpoint} (${operation.operation_id})`,
  )
  printRules(explanation, terminal)
  printConfigurations(explanation, terminal)
  printExpression(explanation, terminal)
  const status = decision.status === null ? '' : ` with ${decision.status}`
  const style = VERDICTS.get(decision.action) ?? 'red'
  heading('decision', `${paint([style, 'bold'], decision.action)}${status}: ${decision.reason}`)
}

function printRules({ rules }: Explanation, { out, paint }: Terminal): void {
  if (rules.length === 0) return
  out(paint('bold', 'rules'))
  for (const { id, title, why } of rules) {
    const text = `${printable(title === '' ? id : `${title} (${id})`)}: ${why.replaceAll('_', ' ')}`
    out(why === 'decides' ? `  ${paint('bold', `→ ${text}`)}` : paint('dim', `    ${text}`))
  }
}

function printConfigurations({ configurations }: Explanation, { out, paint }: Terminal): void {
  for (const { id, title, sources, checks, reason, key } of configurations) {
    const named = key === null ? '' : `, key ${key.kid} (${key.alg})`
    const name = title === '' ? id : `${title} (${id})`
    out(`${paint('bold', 'configuration')} ${printable(`${name}: ${reason}${named}`)}`)
    for (const { expression, result } of sources)
      out(`    ${printable(expression)} ${paint('dim', result.replaceAll('_', ' '))}`)
    for (const { check, result } of checks) {
      const [mark, style] = RESULTS.get(result) ?? ['?', 'dim']
      out(`    ${paint(style, `${mark} ${CHECKS.get(check) ?? check}`)}`)
    }
  }
}

function printExpression({ expression }: Explanation, { out, paint }: Terminal): void {
  if (expression === null) return
  out(paint('bold', 'expression'))
  for (const { text, depth, value, skipped } of expression.steps) {
    const [mark, style] = skipped ? (['·', 'dim'] as const) : (RESULTS.get(value) ?? [' ', 'dim'])
    const shown = skipped
      ? 'not asked'
      : value === undefined
        ? 'missing'
        : typeof value === 'boolean'
          ? ''
          : JSON.stringify(value)
    const line = `${'  '.repeat(depth + 1)}${paint(style, mark)} ${printable(text)}`
    out(shown === '' ? line : `${line} ${paint('dim', printable(`= ${shown}`))}`)
  }
}
