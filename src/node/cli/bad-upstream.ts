import type { PolicyIssue, Zone } from '../../edge/index.js'
import { isOrigin } from '../../edge/selector/index.js'
import { withoutCredentials } from './without-credentials.js'

/** What is odd in the upstream of a zone: an engine does not mind; a gate could send nothing there. */
export function badUpstream({ name, upstream }: Zone): readonly PolicyIssue[] {
  if (upstream === undefined || isOrigin(upstream)) return []
  const found = JSON.stringify(withoutCredentials(upstream))
  const message = `${name}: expected http(s)://host[:port], found ${found}`
  return [{ code: 'bad_upstream', message, pointer: '/upstream' }]
}
