import {
  checkKeys,
  KeySetError,
  MAX_KEYS,
  weaknesses,
  type CheckedKey,
  type KeyMessage,
  type PublicKey,
} from '../../edge/token/index.js'
import { ApiError, message, type Message } from '../http/index.js'
import { keyName, NOBODYS_KEY } from '../key-sets/index.js'
import { CODES } from './codes.js'

/**
 * What the key checker lets pass with a message and the API refuses: a key left out for its kind,
 * and an `alg` that was guessed. A stored set is exactly the set that was sent.
 */
const REFUSED: ReadonlySet<number> = new Set([110101, 110003])

/**
 * Checks the keys of a request, `base` being the pointer to what holds them. Beside a remote key set
 * there may be none.
 * @throws {ApiError} 400 with a message for each fault, none of them with secret material
 */
export function readKeys(
  keys: readonly unknown[],
  base: string,
  besideRemote = false,
): { readonly keys: readonly CheckedKey[]; readonly messages: readonly Message[] } {
  if (besideRemote && keys.length === 0) return { keys: [], messages: [] }
  try {
    const checked = checkKeys(keys)
    refuse([...nullsIn(keys), ...refusedOf(checked.messages)], base)
    const messages = [...checked.messages, ...weaknesses(keys)].map(
      ({ code, message: text, pointer }) => message(code, text, base + pointer),
    )
    return { keys: checked.keys, messages }
  } catch (cause) {
    if (!(cause instanceof KeySetError)) throw cause
    if (cause.code === 'no_keys') refuse(leftOutOf(keys), base)
    const faults = cause.issues.map(({ message: text, pointer }) =>
      message(CODES.invalid_key, text, base + pointer),
    )
    throw ApiError.of(400, faults)
  }
}

const refusedOf = (messages: readonly KeyMessage[]): readonly KeyMessage[] =>
  messages.filter(({ code }) => REFUSED.has(code))

/** What each key of a set is left out for when there is none to keep: beside one it is told. */
const leftOutOf = (keys: readonly unknown[]): readonly KeyMessage[] =>
  refusedOf(checkKeys([...keys.slice(0, MAX_KEYS - 1), NOBODYS_KEY]).messages)

/** Null where the checker would take it for left out, and guess. */
const nullsIn = (keys: readonly unknown[]): readonly KeyMessage[] =>
  keys.flatMap((key, at) =>
    Object.entries(key as object)
      .filter(([name, value]) => value === null && ['alg', 'crv'].includes(name))
      .map(([name]) => ({
        code: CODES.invalid_key,
        pointer: `/keys/${at}/${name}`,
        message: `keys[${at}].${name} must not be null`,
      })),
  )

function refuse(faults: readonly KeyMessage[], base: string): void {
  if (faults.length === 0) return
  throw ApiError.of(
    400,
    faults.map(({ code, message: text, pointer }) => message(code, text, base + pointer)),
  )
}

/** A key as answers show it: without `k`. */
export function publicKeyOf(key: CheckedKey): PublicKey {
  if (key.kty !== 'oct') return key
  const { k: _secret, ...rest } = key
  return rest
}

/** Completes keys with the stored members of the same identity, where the request leaves some out. */
export function completed(
  keys: readonly unknown[],
  stored: ReadonlyMap<string, CheckedKey>,
): readonly unknown[] {
  return keys.map((key) => {
    if (typeof key !== 'object' || key === null) return key
    const known = stored.get(keyName(key))
    return known === undefined ? key : { ...known, ...key }
  })
}
