/** Key sets that issuers publish: fetched, kept fresh, and what is known of them. */
export { KEY_SET_CODES } from './code-notes.js'
export { CODES as KEY_SET_MESSAGES } from './codes.js'
export { keyName } from './key-name.js'
export { checkUri, jwksUri } from './key-set-input.js'
export { keySetSummary, KeySetSummary } from './key-set-schema.js'
export {
  createKeySets,
  type FetchEvent,
  type KeySetOptions,
  type KeySets,
  type UnknownKeys,
} from './key-sets.js'
export { mergedKeys } from './merged-keys.js'
export { NOBODYS_KEY } from './nobodys-key.js'
export { noWayOut } from './no-way-out.js'
export { keySetRoutes } from './routes.js'
export { keySetsOf, writeKeySetUri } from './stored-key-sets.js'
