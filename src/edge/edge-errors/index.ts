/**
 * How a zone answers edge errors: custom error rules, error pages, and the negotiated default.
 * @packageDocumentation
 */
export {
  compileEdgeErrors,
  plainEdgeErrors,
  readEdgeErrors,
  type EdgeAnswer,
  type EdgeErrors,
  type EdgeErrorsOptions,
  type MetError,
} from './compile-edge-errors.js'
export type { ContentType, EdgeErrorsDocument, ErrorRule } from './document.js'
export { createBrand, type Branding } from './create-brand.js'
export { errorScheme } from './error-scheme.js'
