import { MAX_KEYS } from '../../edge/token/index.js'
import { keyName } from './key-name.js'
import { NOBODYS_KEY } from './nobodys-key.js'

interface Named {
  readonly alg: string
  readonly kid: string
}

/**
 * The keys of a configuration as a gate takes them: the fixed ones, which win, and behind them those
 * of its remote set, as many as fit.
 */
export function mergedKeys<Fixed extends Named, Remote extends Named>(
  fixed: readonly Fixed[],
  remote: readonly Remote[],
): readonly (Fixed | Remote | typeof NOBODYS_KEY)[] {
  const names = new Set(fixed.map(keyName))
  const merged = [...fixed, ...remote.filter((key) => !names.has(keyName(key)))]
  return merged.length === 0 ? [NOBODYS_KEY] : merged.slice(0, Math.max(MAX_KEYS, fixed.length))
}
