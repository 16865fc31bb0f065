/**
 * The edge engine: compiles a policy to a gate that decides and explains. Web APIs only.
 * @packageDocumentation
 */
export { normalisePath, requestHost, type Operation, type Selector } from './selector/index.js'
export {
  createGate,
  Decision,
  PolicyError,
  type Answer,
  type ClaimHeader,
  type ConfigurationOutcome,
  type ConfigurationStep,
  type DecisionReason,
  type DecisionRecord,
  type Explanation,
  type Gate,
  type GateOptions,
  type GateRequest,
  type Policy,
  type PolicyIssue,
  type TokenConfiguration,
  type TokenValidationRule,
  type Zone,
  type ZoneSettings,
} from './gate/index.js'
export {
  checkKeys,
  createVerdictCache,
  createVerifier,
  importKeySet,
  KeySetError,
  webCrypto,
  type CheckedKey,
  type Claims,
  type CryptoBackend,
  type KeyHandle,
  type KeySet,
  type Verdict,
  type VerdictCache,
  type VerdictStatus,
  type Verifier,
} from './token/index.js'
