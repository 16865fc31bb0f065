import { compile, type Predicate, type Scheme } from '../expression/index.js'
import type { Report } from '../gate/index.js'
import type { OwnBody } from '../problem/index.js'
import type { ErrorRule } from './document.js'

/** A custom error rule that can be asked. */
export interface CompiledErrorRule {
  readonly id: string
  readonly predicate: Predicate
  readonly own: OwnBody
  readonly status: number | undefined
}

/** The enabled rules in their order; faults of the others are reported as well. */
export function compileRules(
  rules: readonly ErrorRule[],
  scheme: Scheme,
  report: Report,
): readonly CompiledErrorRule[] {
  const ids = new Set<string>()
  return rules.flatMap(({ id, expression, enabled = true, action_parameters }, at) => {
    const here = report.at(at)
    const { content, content_type, status_code } = action_parameters
    here.at('id').once(ids, id)
    if (content_type === 'application/json')
      noticeBadJson(content, here.at('action_parameters', 'content'))
    const predicate = here.at('expression').attempt(() => compile(expression, scheme))
    if (predicate === undefined) return []
    here.at('expression').warnings(predicate.warnings)
    const own: OwnBody = { type: content_type, body: () => content }
    return enabled ? [{ id, predicate, own, status: status_code }] : []
  })
}

function noticeBadJson(content: string, report: Report): void {
  try {
    JSON.parse(content)
  } catch {
    report.notice('not_json', 'the content is served as JSON and is none')
  }
}
