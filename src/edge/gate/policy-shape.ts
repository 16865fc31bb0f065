import { isObject } from '../token/index.js'
import type { Zone } from './policy.js'
import type { Report } from './report.js'
import { anything, flag, list, object, oneOf, oneOrMore, orNull, text } from './shape.js'

const METHODS = 'GET POST HEAD OPTIONS PUT DELETE CONNECT PATCH TRACE'.split(' ')
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

const operation = object({ operation_id: id, method: oneOf(...METHODS), host, endpoint: text() })

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

/** What items may be, the compiler of expressions says. */
const namedLists = object({}, {}, () => list(anything))

const zone = object(
  { id, name: host },
  {
    upstream: text(),
    settings,
    token_configurations: list(tokenConfiguration, 32),
    operations: list(operation),
    rules: list(rule),
    lists: object({}, { Bytes: namedLists, Int: namedLists, Ip: namedLists }),
    edge_errors: anything,
  },
)

const zones = object({ zones: list(zone, Infinity, 1) })

/** The zones of a policy document with their places; none when a shape is wrong, which is reported. */
export function zonesOf(
  policy: unknown,
  report: Report,
): readonly (readonly [zone: Zone, report: Report])[] {
  const several = isObject(policy) && Object.hasOwn(policy, 'zones')
  const shape = several ? zones : zone
  shape(policy, report)
  if (report.errors.length > 0) return []
  return several
    ? (policy as unknown as { zones: readonly Zone[] }).zones.map((each, at) => [
        each,
        report.at('zones', at),
      ])
    : [[policy as Zone, report]]
}
