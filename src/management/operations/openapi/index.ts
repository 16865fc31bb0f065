/** OpenAPI documents: reading them, and which operations they describe. */
export { operationsOf } from './operations-of.js'
export { DocumentError, readDocument } from './read-document.js'
