import { judgementOf, type Decision } from './decision.js'

/** A key that a token names and its configuration does not have. */
export interface UnknownKey {
  readonly configuration_id: string
  readonly alg: string
  readonly kid: string
}

/**
 * The keys that the tokens of a request name in vain: what an issuer may have added to its set. For
 * whoever keeps key sets; both names are a stranger's words.
 */
export function unknownKeys(decision: Decision): readonly UnknownKey[] {
  return judgementOf(decision).consultations.flatMap(({ configuration, found, verdict }) => {
    if (verdict.status !== 'unknown_key' || found.token === null) return []
    // The verdict says that this is a JSON object in base64url.
    const { alg, kid } = headerOf(found.token)
    return typeof alg === 'string' && typeof kid === 'string'
      ? [{ configuration_id: configuration.id, alg, kid }]
      : []
  })
}

function headerOf(token: string): { readonly alg?: unknown; readonly kid?: unknown } {
  const [segment = ''] = token.split('.', 1)
  const text = atob(segment.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}
