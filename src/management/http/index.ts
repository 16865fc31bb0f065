/** The manners of the API: envelope, paging, errors, authentication, permissions, OpenAPI. */
export { ApiError } from './api-error.js'
export type { Authenticate } from './authenticate.js'
export { isStorable, MAX_BODY } from './body.js'
export { codeChapter, type CodeChapter, type CodeNote, type DocumentedCode } from './code-note.js'
export { COMMON_CODES } from './code-notes.js'
export { CODES } from './codes.js'
export type { Outbound } from './outbound.js'
export { createApp, forbidden, notFound, type AppOptions } from './create-app.js'
export { codeAnchor } from './documentation.js'
export {
  bareEndpoint,
  endpoint,
  flatEndpoint,
  listEndpoint,
  zoneIdOf,
  type Call,
  type Endpoint,
} from './endpoint.js'
export type { DocsPage } from './entrance.js'
export { flagQuery, listQuery, text } from './input.js'
export { message, pointerTo, shownName, type Message } from './message.js'
export { formFile, type FormFile } from './multipart.js'
export { offsetOf, pageQuery, type Listed, type Page } from './page.js'
export {
  allows,
  mayAt,
  PERMISSIONS,
  reaches,
  reachOf,
  type Actor,
  type Grant,
  type Permission,
  type Place,
  type Scope,
} from './permissions.js'
export { refusalOf } from './refusal-of.js'
