import { canonicalHost, Router, type Operation } from '../selector/index.js'
import { BAD_HOST } from './compile-rules.js'
import type { CompiledOperation, CompiledZone } from './compiled-zone.js'
import type { Report } from './report.js'
import type { Work } from './work.js'

/** Puts the operations of a zone of this (canonical) name into a router, each with its rule. */
export function* compileOperations(
  operations: readonly Operation[],
  name: string,
  router: Router<CompiledOperation>,
  covering: CompiledZone['covering'],
  report: Report,
): Work<void> {
  const ids = new Set<string>()
  for (const [at, operation] of operations.entries()) {
    yield
    const here = report.at(at)
    here.at('operation_id').once(ids, operation.operation_id)
    const host = canonicalHost(operation.host)
    if (!host) {
      here.at('host').error('bad_host', BAD_HOST)
      continue
    }
    if (host !== name && !host.endsWith(`.${name}`)) {
      here.at('host').error('foreign_host', `expected ${name} or a host below it`)
      continue
    }
    const added = { operation, rule: covering.ofOperation(operation, host) }
    const answering = router.add(operation, added, host)
    if (!answering) here.at('endpoint').error('bad_endpoint', 'expected a path such as /users/{id}')
    else if (answering !== added) {
      const message = `${answering.operation.operation_id} matches the same requests first`
      here.notice('unreachable_operation', message)
    }
  }
}
