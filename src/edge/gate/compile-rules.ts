import { condition, type Scheme } from '../expression/index.js'
import { canonicalHost, coverage, type Coverage, type Selector } from '../selector/index.js'
import type { CompiledConfiguration, CompiledRule } from './compiled-zone.js'
import type { TokenValidationRule } from './policy.js'
import type { Report } from './report.js'
import type { Work } from './work.js'

/** What is said of a host that is none. */
export const BAD_HOST = 'expected a host such as api.example.com or {any}.example.com'

/** The rules of a zone in their order, without those whose expression does not compile. */
export function* compileRules(
  rules: readonly TokenValidationRule[],
  scheme: Scheme,
  configurations: ReadonlyMap<string, CompiledConfiguration>,
  report: Report,
): Work<readonly CompiledRule[]> {
  const ids = new Set<string>()
  const compiled: CompiledRule[] = []
  for (const [at, rule] of rules.entries()) {
    yield
    const here = report.at(at)
    const { id = `rule-${at + 1}`, title = '', action, enabled = true, expression } = rule
    here.at('id').once(ids, id)
    const selector = rule.selector ?? {}
    const covered = coverage(selector)
    checkInclude(selector, covered, here.at('selector', 'include'))
    const predicate = here.at('expression').attempt(() => condition(expression, scheme))
    if (!predicate) continue
    const { uses, warnings } = predicate
    here.at('expression').warnings(warnings)
    compiled.push({
      id,
      title,
      action,
      enabled,
      coverage: covered,
      predicate,
      configurations: [...configurations.values()].filter(
        (each) => uses.everyConfiguration || uses.configurations.includes(each.id),
      ),
    })
  }
  return compiled
}

function checkInclude({ include }: Selector, { hosts }: Coverage, report: Report): void {
  if (hosts?.size === 0)
    report.notice('covers_nothing', 'this covers nothing; leave include out to cover all')
  include?.forEach(({ host }, at) => {
    for (const each of [host ?? []].flat())
      if (!canonicalHost(each)) report.at(at, 'host').error('bad_host', BAD_HOST)
  })
}
