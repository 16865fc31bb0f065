import { compile, ExpressionError, locate, requestScheme } from '../expression/index.js'
import type { ExpressionNotice, Predicate, Scheme, TokenSource } from '../expression/index.js'
import {
  canonicalHost,
  coverage,
  createCovering,
  HostCandidates,
  Router,
} from '../selector/index.js'
import { KeySetError, type KeySet } from '../token/index.js'
import type {
  CompiledConfiguration,
  CompiledOperation,
  CompiledRule,
  CompiledZone,
} from './compiled-zone.js'
import type { TokenConfiguration, TokenValidationRule, Zone, ZoneSettings } from './policy.js'
import type { PolicyIssue } from './policy-error.js'
import type { Report } from './shape.js'

/** Gives the key set for keys, the running one when they have not changed. Throws `KeySetError`. */
export type KeySetSource = (zone: string, configuration: string, keys: readonly unknown[]) => KeySet

const DEFAULTS: Required<ZoneSettings> = {
  unlisted_operations: 'pass',
  block_status: 'auto',
  ambiguous_tokens: 'first',
  merge_slashes: true,
  nil_not_equal: false,
  claim_headers: [],
  strip_tokens: false,
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Compiles one zone. Everything wrong is reported, not only the first fault; nothing is thrown. */
export function compileZone(
  zone: Zone,
  pointer: string,
  keySet: KeySetSource,
  report: Report,
): CompiledZone {
  const settings = { ...DEFAULTS, ...zone.settings }
  const configurations = new Map<string, CompiledConfiguration>()
  zone.token_configurations?.forEach((configuration, at) => {
    const where = `${pointer}/token_configurations/${at}`
    if (configurations.has(configuration.id))
      error(report, `${where}/id`, 'duplicate_id', 'expected an id that no other configuration has')
    const sources = compileSources(configuration, where, report)
    const keys = compileKeys(zone, configuration, where, keySet, report)
    if (keys === undefined) return
    const { id, title = '' } = configuration
    configurations.set(id, { id, title, sources, keySet: keys })
  })
  checkClaimHeaders(
    settings,
    pointer,
    new Set(zone.token_configurations?.map(({ id }) => id)),
    report,
  )
  const scheme: Scheme = {
    ...requestScheme,
    configurations: (zone.token_configurations ?? []).map(({ id }) => id),
    nilNotEqual: settings.nil_not_equal,
    ...(zone.lists && { lists: zone.lists }),
  }
  const rules = compileRules(zone.rules ?? [], `${pointer}/rules`, scheme, configurations, report)
  const covering = createCovering(rules.filter((rule) => rule.enabled))
  const hosts = new HostCandidates()
  for (const rule of rules) for (const host of rule.coverage.hosts ?? []) hosts.add(host)
  const router = compileRouter(zone, pointer, settings, covering, report)
  return { zone, settings, router, rules, covering, hosts, configurations }
}

function compileSources(
  { token_sources }: TokenConfiguration,
  pointer: string,
  report: Report,
): readonly TokenSource[] {
  const seen = new Set<string>()
  return token_sources.flatMap((expression, at) => {
    const where = `${pointer}/token_sources/${at}`
    const source = guarded(() => locate(expression), where, report)
    if (source === undefined) return []
    notice(report, where, source.warnings)
    const key = `${source.kind} ${source.name}`
    if (seen.has(key)) error(report, where, 'duplicate_source', 'expected each source once')
    seen.add(key)
    return [source]
  })
}

function compileKeys(
  zone: Zone,
  { id, credentials }: TokenConfiguration,
  pointer: string,
  keySet: KeySetSource,
  report: Report,
): KeySet | undefined {
  try {
    const keys = keySet(zone.id, id, credentials.keys)
    for (const { code, message, pointer: at } of keys.messages)
      report.notices.push({
        code: String(code),
        message,
        pointer: `${pointer}/credentials${at ?? ''}`,
      })
    return keys
  } catch (fault) {
    if (!(fault instanceof KeySetError)) throw fault
    for (const { code, message, pointer: at } of fault.issues)
      error(report, `${pointer}/credentials${at}`, code, message)
    return undefined
  }
}

function compileRules(
  rules: readonly TokenValidationRule[],
  pointer: string,
  scheme: Scheme,
  configurations: ReadonlyMap<string, CompiledConfiguration>,
  report: Report,
): readonly CompiledRule[] {
  const ids = new Set<string>()
  return rules.flatMap((rule, at) => {
    const where = `${pointer}/${at}`
    const { id = `rule-${at + 1}`, title = '', action, enabled = true } = rule
    if (ids.has(id))
      error(report, `${where}/id`, 'duplicate_id', 'expected an id that no other rule has')
    ids.add(id)
    const predicate = guarded(() => compile(rule.expression, scheme), `${where}/expression`, report)
    checkSelector(rule, where, report)
    if (predicate === undefined) return []
    notice(report, `${where}/expression`, predicate.warnings)
    return [
      {
        id,
        title,
        action,
        enabled,
        coverage: coverage(rule.selector ?? {}),
        predicate,
        configurations: consulted(predicate, configurations),
      },
    ]
  })
}

function consulted(
  { uses }: Predicate,
  configurations: ReadonlyMap<string, CompiledConfiguration>,
): readonly CompiledConfiguration[] {
  const all = [...configurations.values()]
  return uses.everyConfiguration ? all : all.filter(({ id }) => uses.configurations.includes(id))
}

function checkSelector({ selector }: TokenValidationRule, pointer: string, report: Report): void {
  if (selector?.include?.length === 0)
    report.notices.push({
      code: 'covers_nothing',
      message: 'an empty include covers no operation; leave include out to cover all',
      pointer: `${pointer}/selector/include`,
    })
  selector?.include?.forEach(({ host }, at) => {
    for (const each of [host ?? []].flat())
      if (canonicalHost(each) === undefined)
        error(report, `${pointer}/selector/include/${at}/host`, 'bad_host', BAD_HOST)
  })
}

const BAD_HOST = 'expected a host name such as api.example.com, a variable only as a whole label'

function compileRouter(
  zone: Zone,
  pointer: string,
  { merge_slashes }: Required<ZoneSettings>,
  covering: CompiledZone['covering'],
  report: Report,
): Router<CompiledOperation> {
  const router = new Router<CompiledOperation>(merge_slashes)
  const ids = new Set<string>()
  zone.operations?.forEach((operation, at) => {
    const where = `${pointer}/operations/${at}`
    if (ids.has(operation.operation_id))
      error(
        report,
        `${where}/operation_id`,
        'duplicate_id',
        'expected an id that no other operation has',
      )
    ids.add(operation.operation_id)
    const host = canonicalHost(operation.host)
    if (host === undefined) error(report, `${where}/host`, 'bad_host', BAD_HOST)
    else if (host !== zoneName(zone) && !host.endsWith(`.${zoneName(zone)}`))
      error(report, `${where}/host`, 'foreign_host', `expected ${zone.name} or a host below it`)
    else if (!router.add(operation, { operation, rule: covering.ofOperation(operation) }))
      error(
        report,
        `${where}/endpoint`,
        'bad_endpoint',
        'expected a path such as /users/{id}, each variable a whole segment',
      )
  })
  return router
}

/** The canonical name of a zone; the name as written when it is none (reported elsewhere). */
export function zoneName({ name }: Zone): string {
  return canonicalHost(name) ?? name
}

function checkClaimHeaders(
  { claim_headers }: Required<ZoneSettings>,
  pointer: string,
  ids: ReadonlySet<string>,
  report: Report,
): void {
  claim_headers.forEach(({ header, configuration_id }, at) => {
    const where = `${pointer}/settings/claim_headers/${at}`
    if (!HEADER_NAME.test(header))
      error(report, `${where}/header`, 'bad_header', 'expected a header name (RFC 9110 5.1)')
    if (!ids.has(configuration_id))
      error(
        report,
        `${where}/configuration_id`,
        'unknown_configuration',
        'expected the id of a token configuration of this zone',
      )
  })
}

function guarded<Result>(run: () => Result, pointer: string, report: Report): Result | undefined {
  try {
    return run()
  } catch (fault) {
    if (!(fault instanceof ExpressionError)) throw fault
    const { code, message, line, column, frame } = fault
    report.errors.push({ code, message, pointer, line, column, frame })
    return undefined
  }
}

function notice(report: Report, pointer: string, notices: readonly ExpressionNotice[]): void {
  for (const { code, message, line, column } of notices)
    report.notices.push({ code, message, pointer, line, column })
}

function error(report: Report, pointer: string, code: string, message: string): void {
  const issue: PolicyIssue = { code, message, pointer }
  report.errors.push(issue)
}
