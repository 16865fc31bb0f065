import type { PolicyIssue, Zone } from '../../edge/index.js'
import { covers } from '../../edge/selector/index.js'

/** Selectors that compile and guard nothing, as a misspelt host or operation does. */
export function idleSelectors({
  name,
  settings,
  operations = [],
  rules = [],
}: Zone): readonly PolicyIssue[] {
  const ids = new Set(operations.map(({ operation_id }) => operation_id))
  return rules.flatMap(({ id, selector, enabled = true }, at) => {
    const said = (code: string, text: string, pointer: string): PolicyIssue => ({
      code,
      message: `${name}, rule ${id ?? at + 1}: ${text}`,
      pointer: `/selector${pointer}`,
    })
    const unknown = (selector?.exclude ?? [])
      .flatMap(({ operation_ids }) => operation_ids ?? [])
      .filter((each) => !ids.has(each))
      .map((each) =>
        said('exclude_without_effect', `the zone has no operation ${each}`, '/exclude'),
      )
    // Of an empty list the engine itself tells; what is not listed may be covered as well.
    const isTold = selector?.include?.length === 0 || settings?.unlisted_operations === 'cover'
    const isIdle = enabled && !isTold && !operations.some(covers(selector ?? {}))
    if (!isIdle) return unknown
    return [...unknown, said('covers_nothing', 'this covers no operation of the zone', '')]
  })
}
