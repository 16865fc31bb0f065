import { canonicalHost, Router, type Operation } from '../selector/index.js'
import { BAD_HOST } from './compile-rules.js'
import type { CompiledOperation, CompiledZone } from './compiled-zone.js'
import type { Report } from './report.js'

/** Puts the operations of a zone of this (canonical) name into a router, each with its rule. */
export function compileOperations(
  operations: readonly Operation[],
  name: string,
  router: Router<CompiledOperation>,
  covering: CompiledZone['covering'],
  report: Report,
): void {
  const ids = new Set<string>()
  for (const [at, operation] of operations.entries()) {
    const here = report.at(at)
    const { operation_id } = operation
    here.at('operation_id').once(ids, operation_id)
    if (!isWithin(operation, name, here.at('host'))) continue
    const added = { operation, rule: covering.ofOperation(operation) }
    const answering = router.add(operation, added)
    if (answering === undefined) here.at('endpoint').error('bad_endpoint', BAD_ENDPOINT)
    else if (answering !== added)
      here.notice('unreachable_operation', `${answering.operation.operation_id} ${IS_OLDER}`)
  }
}

const BAD_ENDPOINT = 'expected a path such as /users/{id}'
const IS_OLDER = 'matches the same requests first'

function isWithin(operation: Operation, zone: string, report: Report): boolean {
  const host = canonicalHost(operation.host)
  if (host === undefined) report.error('bad_host', BAD_HOST)
  else if (host === zone || host.endsWith(`.${zone}`)) return true
  else report.error('foreign_host', `expected ${zone} or a host below it`)
  return false
}
