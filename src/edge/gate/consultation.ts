import type { Verdict } from '../token/index.js'
import type { CompiledConfiguration } from './compiled-zone.js'
import type { FoundToken } from './find-token.js'

/** What became of one configuration in one request. */
export interface Consultation {
  readonly configuration: CompiledConfiguration
  readonly found: FoundToken
  readonly verdict: Verdict
}
