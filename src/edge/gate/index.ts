export {
  Decision,
  type ConfigurationOutcome,
  type DecisionReason,
  type DecisionRecord,
} from './decision.js'
export type {
  CheckStep,
  ConfigurationStep,
  Explanation,
  ExpressionStep,
  RuleStep,
  SourceStep,
} from './explain.js'
export { explanation } from './explain.js'
export { factsOf } from './facts-of.js'
export type { GateRequest } from './gate-request.js'
export { createGate, type Answer, type Gate, type GateOptions } from './gate.js'
export { foldedName, headerEdits, type HeaderEdits } from './header-edits.js'
export { unknownKeys, type UnknownKey } from './unknown-keys.js'
export { PolicyError, type PolicyIssue } from './policy-error.js'
export type {
  ClaimHeader,
  Policy,
  TokenConfiguration,
  TokenValidationRule,
  Zone,
  ZoneSettings,
} from './policy.js'
export { Report } from './report.js'
export { flag, list, object, oneOf, text, type Shape } from './shape.js'
