export { ALGORITHMS, type Algorithm, type KeyType } from './algorithms.js'
export { checkKeys, type CheckedKeys, type KeyMessage } from './check-keys.js'
export type { CryptoBackend, KeyHandle, Times } from './crypto-backend.js'
export { isObject, type Json, type JsonObject } from './json-object.js'
export {
  MAX_KEYS,
  MAX_KID_LENGTH,
  type CheckedKey,
  type EcKey,
  type OctKey,
  type RsaKey,
} from './jwk.js'
export { importKeySet, type KeySet, type PublicKey } from './key-set.js'
export { KeySetError, type KeyIssue, type KeySetErrorCode } from './key-set-error.js'
export {
  createVerdictCache,
  type VerdictCache,
  type VerdictCacheOptions,
  type VerdictCacheStats,
} from './verdict-cache.js'
export { refuse, type Claims, type KeyName, type Verdict, type VerdictStatus } from './verdict.js'
export {
  createVerifier,
  verifySignature,
  type Answer,
  type Verifier,
  type VerifierOptions,
} from './verify.js'
export { openToken, type OpenToken } from './open-token.js'
export { keepingLast } from './keeping-last.js'
export { decodeUtf8 } from './utf8.js'
export { weaknesses } from './weaknesses.js'
export { webCrypto } from './web-crypto.js'
