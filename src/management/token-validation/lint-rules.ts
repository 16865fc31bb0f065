import { compile, type Scheme } from '../../edge/expression/index.js'
import {
  coverage,
  covers,
  createCovering,
  type Coverage,
  type Operation,
  type Selector,
} from '../../edge/selector/index.js'
import { message, type Message } from '../http/index.js'
import type { Row, Transaction } from '../store/index.js'
import { CODES } from './codes.js'
import { keylessConfigurations } from './keyless.js'
import { constantOf } from './truth.js'
import { zoneOperations, type ZoneOperations } from './zone-operations.js'

type RuleRow = Row<'rules'>

/** Names told in one message before it says that there are more. */
const MAX_NAMES = 3

interface Placed {
  readonly id: string
  readonly coverage: Coverage
}

/** A zone as its rules share it out. */
interface Shared extends ZoneOperations {
  /** Which enabled rule decides, by operation. */
  readonly deciding: ReadonlyMap<string, string>
}

/** What is odd about rules as they stand among all others of their zone, though it is allowed. */
export async function lintRules(
  tx: Transaction,
  zone: Row<'zones'>,
  rows: readonly RuleRow[],
  scheme: Scheme,
  pointerOf: (at: number) => string,
): Promise<readonly Message[]> {
  const shared = await shareOut(tx, zone)
  const keyless = await keylessConfigurations(tx, zone.id)
  const findings = rows.flatMap((row, at) => [
    ...lintExpression(row, scheme, keyless, pointerOf(at)),
    ...lintSelector(row, shared, scheme, pointerOf(at)),
  ])
  const uncovered = shared.all.filter(({ operation_id: id }) => !shared.deciding.has(id))
  if (uncovered.length === 0) return findings
  const text = `no enabled rule covers ${some(uncovered, nameOf, 'operations')}`
  return [...findings, message(CODES.uncovered_operations, text)]
}

async function shareOut(tx: Transaction, zone: Row<'zones'>): Promise<Shared> {
  const operations = await zoneOperations(tx, zone)
  const rules = await tx
    .selectFrom('rules')
    .select(['id', 'selector'])
    .where('zone_id', '=', zone.id)
    .where('enabled', '=', 1)
    .orderBy('position')
    .execute()
  const covering = createCovering<Placed>(
    rules.map(({ id, selector }) => ({ id, coverage: coverage(JSON.parse(selector)) })),
  )
  const deciding = new Map<string, string>()
  for (const group of operations.byHost.values()) {
    const first = covering.ofOperation(group[0]!)
    // Of one host the same rules are asked; without exceptions the first decides all.
    const decides = first === null || first.coverage.excluded.size > 0 ? undefined : first
    for (const operation of group) {
      const rule = decides ?? covering.ofOperation(operation)
      if (rule !== null) deciding.set(operation.operation_id, rule.id)
    }
  }
  return { ...operations, deciding }
}

function coveredBy(selector: Selector, { all, byHost }: Shared): readonly Operation[] {
  const { hosts } = coverage(selector)
  const near = hosts === null ? all : [...hosts].flatMap((host) => byHost.get(host) ?? [])
  return near.filter(covers(selector))
}

function lintExpression(
  { expression }: RuleRow,
  scheme: Scheme,
  keyless: ReadonlySet<string>,
  base: string,
): readonly Message[] {
  const predicate = compile(expression, scheme)
  const pointer = `${base}/expression`
  const findings = predicate.uses.configurations
    .filter((id) => keyless.has(id))
    .map((id) => {
      const text = `the token configuration ${id} has no key yet: no token is valid by it`
      return message(CODES.no_usable_key, text, pointer)
    })
  const constant = constantOf(predicate)
  if (constant === undefined) return findings
  const told = constant
    ? message(CODES.always_true, 'this is always true, so the rule never acts', pointer)
    : message(CODES.always_false, 'this is never true: the rule acts on every request', pointer)
  return [...findings, told]
}

function lintSelector(
  row: RuleRow,
  shared: Shared,
  scheme: Scheme,
  base: string,
): readonly Message[] {
  const selector = JSON.parse(row.selector) as Selector
  const pointer = `${base}/selector`
  const covered = coveredBy(selector, shared)
  const findings = lintExclude(selector, shared.all, pointer)
  if (covered.length === 0) {
    const none = selector.include?.length === 0 ? '; leave include out to cover all' : ''
    const text = `this covers no operation of the zone${none}`
    return [...findings, message(CODES.covers_nothing, text, pointer)]
  }
  const deciders = new Set(covered.map(({ operation_id: id }) => shared.deciding.get(id) ?? ''))
  if (row.enabled === 1 && !deciders.has(row.id)) {
    const text = `this never applies: rules before it cover all of its operations: ${some([...deciders], String, 'rules')}`
    findings.push(message(CODES.never_applies, text, pointer))
  }
  const preflights = covered.filter(({ method }) => method === 'OPTIONS')
  const { fields } = compile(row.expression, scheme).uses
  if (row.action === 'block' && preflights.length > 0 && !fields.includes('http.request.method')) {
    const text = `browsers send no token with OPTIONS, and this covers ${some(preflights, nameOf, 'operations')}; add: or http.request.method eq "OPTIONS"`
    findings.push(message(CODES.preflight_blocked, text, `${base}/expression`))
  }
  return findings
}

function lintExclude(
  { include, exclude }: Selector,
  operations: readonly Operation[],
  pointer: string,
): Message[] {
  if (exclude === undefined || exclude === null || exclude.length === 0) return []
  const known = new Map(operations.map((operation) => [operation.operation_id, operation]))
  const isIncluded = covers({ include: include ?? null })
  return exclude.flatMap(({ operation_ids }, at) =>
    (operation_ids ?? []).flatMap((id, index) => {
      const operation = known.get(id)
      const place = `${pointer}/exclude/${at}/operation_ids/${index}`
      if (operation === undefined)
        return [message(CODES.exclude_without_effect, 'the zone has no such operation', place)]
      if (isIncluded(operation)) return []
      const text = `${nameOf(operation)} is not included, so excluding it has no effect`
      return [message(CODES.exclude_without_effect, text, place)]
    }),
  )
}

const nameOf = ({ method, host, endpoint }: Operation): string => `${method} ${host}${endpoint}`

/** One, two, three, or three and how many more. */
function some<Item>(items: readonly Item[], name: (item: Item) => string, what: string): string {
  const shown = items.slice(0, MAX_NAMES).map(name).join(', ')
  const more = items.length - MAX_NAMES
  return more > 0 ? `${shown} and ${more} more ${what}` : shown
}
