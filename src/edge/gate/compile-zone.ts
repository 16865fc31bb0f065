import { HEADER_NAME, requestScheme, type Scheme } from '../expression/index.js'
import { canonicalHost, createCovering, HostCandidates, Router } from '../selector/index.js'
import { compileConfigurations, type KeySetSource } from './compile-configuration.js'
import { compileOperations } from './compile-operations.js'
import { compileRules } from './compile-rules.js'
import type { CompiledOperation, CompiledZone } from './compiled-zone.js'
import type { ClaimHeader, Zone, ZoneSettings } from './policy.js'
import { refusalsOf } from './refusals.js'
import type { Report } from './report.js'
import type { Work } from './work.js'

const DEFAULTS: Required<ZoneSettings> = {
  unlisted_operations: 'pass',
  block_status: 'auto',
  ambiguous_tokens: 'first',
  merge_slashes: true,
  nil_not_equal: false,
  claim_headers: [],
  strip_tokens: false,
}

/** Compiles one zone. Everything wrong is reported, not only the first fault; nothing is thrown. */
export function* compileZone(
  zone: Zone,
  keySetOf: KeySetSource,
  report: Report,
): Work<CompiledZone> {
  const { token_configurations = [], operations = [], lists } = zone
  // `undefined` is as good as absent, here as everywhere in the document.
  const set = Object.entries({ ...zone.settings }).filter(([, value]) => value !== undefined)
  const settings: Required<ZoneSettings> = { ...DEFAULTS, ...Object.fromEntries(set) }
  const canonical = canonicalHost(zone.name)
  if (!canonical || canonical.includes('{'))
    report.at('name').error('bad_host', 'expected a host such as example.com')
  const name = canonical ?? zone.name
  const configurations = yield* compileConfigurations(
    token_configurations,
    keySetOf,
    report.at('token_configurations'),
  )
  const ids = token_configurations.map(({ id }) => id)
  checkClaimHeaders(settings.claim_headers, ids, report.at('settings', 'claim_headers'))
  const scheme: Scheme = {
    ...requestScheme,
    configurations: ids,
    nilNotEqual: settings.nil_not_equal,
    lists,
  }
  const rules = yield* compileRules(zone.rules ?? [], scheme, configurations, report.at('rules'))
  const covering = createCovering(rules.filter((rule) => rule.enabled))
  const hosts = new HostCandidates()
  for (const rule of rules) for (const host of rule.coverage.hosts ?? []) hosts.add(host)
  const router = new Router<CompiledOperation>(settings.merge_slashes)
  yield* compileOperations(operations, name, router, covering, report.at('operations'))
  const refusals = refusalsOf(name, settings.block_status)
  return { zone, name, settings, refusals, router, rules, covering, hosts }
}

/** Headers that say where a message goes and where it ends are not for a token to fill. */
const FRAMING =
  /^(?:connection|content-length|cookie|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

function checkClaimHeaders(
  claimHeaders: readonly ClaimHeader[],
  ids: readonly string[],
  report: Report,
): void {
  for (const [at, { header, configuration_id }] of claimHeaders.entries()) {
    const here = report.at(at)
    if (!HEADER_NAME.test(header) || FRAMING.test(header))
      here.at('header').error('bad_header', 'expected a header that frames no message')
    if (!ids.includes(configuration_id))
      here
        .at('configuration_id')
        .error('unknown_configuration', 'expected the id of a token configuration')
  }
}
