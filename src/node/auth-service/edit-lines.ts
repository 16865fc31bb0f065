import type { HeaderEdits } from '../../edge/embed/index.js'
import type { Dialect } from './dialect.js'
import { headerChanges } from './header-changes.js'

/**
 * The lines of an answer by which a proxy changes the request on its way upstream, names and values
 * in turn. What is to go is listed where the dialect can remove headers; elsewhere it is sent
 * without value, since copying a missing header would leave a stranger's own one in place.
 */
export function editLines(edits: HeaderEdits | null, { removal }: Dialect): readonly string[] {
  const { set, gone } = headerChanges(edits)
  const lines = set.flat()
  if (removal === undefined) lines.push(...gone.flatMap((name) => [name, '']))
  else if (gone.length > 0) lines.push(removal, gone.join(','))
  return lines
}
