import {
  compile,
  ExpressionError,
  requestScheme,
  type Predicate,
  type Scheme,
} from '../../edge/expression/index.js'
import { canonicalHost, coverage, type Selector } from '../../edge/selector/index.js'
import { ApiError, message, type Message } from '../http/index.js'
import type { Row, Transaction } from '../store/index.js'
import { CODES } from './codes.js'
import { expressionFault } from './expression-fault.js'

/** The world that expressions of a zone are written for. */
export async function schemeOf(tx: Transaction, zone: Row<'zones'>): Promise<Scheme> {
  const rows = await tx
    .selectFrom('token_configurations')
    .select('id')
    .where('zone_id', '=', zone.id)
    .execute()
  const { nil_not_equal = false } = JSON.parse(zone.settings) as { nil_not_equal?: boolean }
  return {
    ...requestScheme,
    configurations: rows.map(({ id }) => id),
    nilNotEqual: nil_not_equal,
    lists: JSON.parse(zone.lists),
  }
}

/** A rule's own faults and notices; places are pointers below `base`. */
export interface CompiledRule {
  readonly predicate: Predicate
  readonly messages: readonly Message[]
}

/**
 * Compiles a rule as the gate will.
 * @throws {ApiError} 400 for an expression or a host that is none
 */
export function compileRule(
  { expression, selector }: { readonly expression: string; readonly selector: Selector },
  scheme: Scheme,
  base: string,
): CompiledRule {
  const faults: Message[] = [...hostFaults(selector, `${base}/selector/include`)]
  let predicate: Predicate | undefined
  try {
    predicate = compile(expression, scheme)
  } catch (cause) {
    if (!(cause instanceof ExpressionError)) throw cause
    faults.unshift(expressionFault(CODES.invalid_expression, cause, `${base}/expression`))
  }
  if (predicate === undefined || faults.length > 0) throw ApiError.of(400, faults)
  const messages = predicate.warnings.map(({ message: text, line, column }) =>
    message(
      CODES.expression_notice,
      `line ${line}, column ${column}: ${text}`,
      `${base}/expression`,
    ),
  )
  return { predicate, messages }
}

/** Hosts of a selector that are none; `base` leads to its `include`. */
export function hostFaults({ include }: Selector, base: string): readonly Message[] {
  return (include ?? []).flatMap(({ host }, at) => {
    const hosts = typeof host === 'string' ? [host] : (host ?? [])
    return hosts.flatMap((each, index) => {
      if (canonicalHost(each) !== undefined) return []
      const pointer = `${base}/${at}/host${typeof host === 'string' ? '' : `/${index}`}`
      const text = 'expected a host name such as api.example.com, a variable only as a whole label'
      return [message(CODES.invalid_selector, text, pointer)]
    })
  })
}

/** The hosts a selector includes, in canonical form: what the list is filtered by. */
export const includedHosts = (selector: Selector): readonly string[] => [
  ...(coverage(selector).hosts ?? []),
]
