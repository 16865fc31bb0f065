import { bytesOf, locate, type TokenSource } from '../expression/index.js'
import type { KeySet } from '../token/index.js'
import type { CompiledConfiguration } from './compiled-zone.js'
import type { TokenConfiguration } from './policy.js'
import type { Report } from './report.js'
import type { Work } from './work.js'

/** Gives the key set of a configuration, the running one when its keys have not changed. Throws `KeySetError`. */
export type KeySetSource = (configuration: TokenConfiguration) => KeySet

/** The configurations of a zone by id, without those whose keys cannot be used. */
export function* compileConfigurations(
  all: readonly TokenConfiguration[],
  keySetOf: KeySetSource,
  report: Report,
): Work<ReadonlyMap<string, CompiledConfiguration>> {
  const ids = new Set<string>()
  const configurations = new Map<string, CompiledConfiguration>()
  for (const [at, configuration] of all.entries()) {
    yield
    const { id, title = '', token_sources } = configuration
    const here = report.at(at)
    here.at('id').once(ids, id)
    const sources = compileSources(token_sources, here.at('token_sources'))
    const credentials = here.at('credentials')
    const keySet = credentials.attempt(() => keySetOf(configuration))
    if (!keySet) continue
    for (const { code, message, pointer } of keySet.messages)
      credentials.below(pointer).notice(`${code}`, message)
    configurations.set(id, { id, key: bytesOf(id), title, sources, keySet })
  }
  return configurations
}

function compileSources(sources: readonly string[], report: Report): readonly TokenSource[] {
  const seen = new Set<string>()
  return sources.flatMap((expression, at) => {
    const here = report.at(at)
    const source = here.attempt(() => locate(expression))
    if (!source) return []
    here.warnings(source.warnings)
    here.once(seen, `${source.kind} ${source.name}`, 'duplicate_source')
    // Requests carry bytes.
    return [{ ...source, name: bytesOf(source.name) }]
  })
}
