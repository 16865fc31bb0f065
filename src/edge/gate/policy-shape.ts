import { isObject } from '../token/index.js'
import type { Zone } from './policy.js'
import type { Report } from './report.js'
import { anything, flag, list, object, oneOf, oneOrMore, orNull, text } from './shape.js'
import type { Work } from './work.js'

const id = text(64, 1)
const host = text(253, 1)
const name = text(256, 1)

const tokenConfiguration = object(
  {
    id,
    token_sources: list(text(), 4, 1),
    credentials: object({ keys: anything }),
  },
  {
    title: text(50),
    description: text(500),
    token_type: oneOf('JWT', 'jwt'),
  },
)

const operation = object({
  operation_id: id,
  method: oneOf(...'GET POST HEAD OPTIONS PUT DELETE CONNECT PATCH TRACE'.split(' ')),
  host,
  endpoint: text(),
})

const selector = object(
  {},
  {
    include: orNull(list(object({}, { host: orNull(oneOrMore(host)) }))),
    exclude: orNull(list(object({}, { operation_ids: orNull(list(text(64))) }))),
  },
)

const rule = object(
  { action: oneOf('log', 'block'), expression: text() },
  {
    id,
    title: text(50),
    description: text(500),
    enabled: flag,
    selector: orNull(selector),
  },
)

const settings = object(
  {},
  {
    unlisted_operations: oneOf('pass', 'cover'),
    block_status: oneOf('auto', 401, 403),
    ambiguous_tokens: oneOf('first', 'reject'),
    merge_slashes: flag,
    nil_not_equal: flag,
    strip_tokens: flag,
    claim_headers: list(
      object({ header: name, configuration_id: id, claim: oneOrMore(name, 16, 1) }),
    ),
  },
)

/** The long lists of a zone, entry by entry: there is time for other work between entries. */
const ENTRIES = Object.entries({
  token_configurations: tokenConfiguration,
  operations: operation,
  rules: rule,
})

/** What items may be, the compiler of expressions says. */
const namedLists = object({}, {}, () => list(anything))

const zone = object(
  { id, name: host },
  {
    upstream: text(),
    settings,
    token_configurations: list(anything, 32),
    operations: list(anything),
    rules: list(anything),
    lists: object({}, { Bytes: namedLists, Int: namedLists, Ip: namedLists }),
    edge_errors: anything,
  },
)

const zones = object({ zones: list(anything, Infinity, 1) })

type Placed = readonly [zone: Zone, report: Report]

/**
 * The zones of a policy document with their places; none when a shape is wrong, which is reported.
 * Those that are `known` already are not looked into.
 */
export function* zonesOf(
  policy: unknown,
  report: Report,
  known: (zone: Zone, at: number) => unknown,
): Work<readonly Placed[]> {
  let placed: readonly Placed[] = [[policy as Zone, report]]
  if (isObject(policy) && Object.hasOwn(policy, 'zones')) {
    zones(policy, report)
    placed = entriesOf(policy, 'zones').map(([at, each]) => [each as Zone, report.at('zones', at)])
  }
  for (const [at, [each, here]] of placed.entries()) {
    if (known(each, at)) continue
    zone(each, here)
    for (const [part, shape] of ENTRIES) {
      for (const [nth, entry] of entriesOf(each, part)) {
        yield
        shape(entry, here.at(part, nth))
      }
    }
  }
  return report.errors.length > 0 ? [] : placed
}

/** The entries of a member that is a list, with their positions; none of any other. */
const entriesOf = (value: unknown, part: string): readonly (readonly [number, unknown])[] => {
  const member = isObject(value) && value[part]
  return Array.isArray(member) ? [...member.entries()] : []
}
