import { checkKey } from './check-key.js'
import { MAX_KEYS, type CheckedKey } from './jwk.js'
import type { Report } from './key-material.js'
import { KeySetError, type KeyIssue } from './key-set-error.js'

/** Something worth telling about keys that were accepted all the same. */
export interface KeyMessage {
  /** 110003 alg defaulted, 110101 key left out; 110102 and 110103 of {@link weaknesses}. */
  readonly code: number
  readonly pointer: string
  readonly message: string
}

export interface CheckedKeys {
  readonly keys: readonly CheckedKey[]
  readonly messages: readonly KeyMessage[]
}

/**
 * Checks JSON Web Keys as they come from a user: kinds, sizes, curves, secrets, and the pair
 * `{alg, kid}` unique (spec 2.3; RFC 7517, 7518, 8725). A key of a kind or algorithm outside of the
 * spec is left out with a message, so that a provider's whole set can be pasted.
 *
 * @throws {KeySetError} naming every fault, none of them with secret material in its text.
 */
export function checkKeys(keys: unknown): CheckedKeys {
  const issues: KeyIssue[] = []
  const messages: KeyMessage[] = []
  const checked: CheckedKey[] = []
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) {
    throw setFault(
      Array.isArray(keys) ? 'too_many_keys' : 'invalid_keys',
      `must be an array of at most ${MAX_KEYS} JSON Web Keys`,
    )
  }
  for (const [index, value] of keys.entries()) {
    const report: Report = (code, member, text) => {
      const list: object[] = typeof code === 'number' ? messages : issues
      list.push({
        code,
        pointer: `/keys/${index}${member && `/${member}`}`,
        message: `keys[${index}]${member && `.${member}`} ${text}`,
      })
      return undefined
    }
    const key = checkKey(value, report)
    if (!key) continue
    if (checked.some(({ alg, kid }) => alg === key.alg && kid === key.kid)) {
      report('duplicate_key', 'kid', `must not be used twice with alg ${key.alg}`)
    }
    checked.push(key)
  }
  if (issues.length > 0) throw new KeySetError(issues)
  if (checked.length === 0) {
    const why = messages.map(({ message }) => `; ${message}`).join('')
    throw setFault('no_keys', `must have one to verify with${why}`)
  }
  return { keys: checked, messages }
}

function setFault(code: KeyIssue['code'], text: string): KeySetError {
  return new KeySetError([{ code, pointer: '/keys', message: `keys ${text}` }])
}
