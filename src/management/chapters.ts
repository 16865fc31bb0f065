import { EDGE_ERROR_CODES } from './edge-errors/index.js'
import { COMMON_CODES, type CodeChapter } from './http/index.js'
import { KEY_SET_CODES } from './key-sets/index.js'
import { OPERATION_CODES } from './operations/index.js'
import { KEY_CODES, TOKEN_VALIDATION_CODES } from './token-validation/index.js'

/** What the API page tells of message codes, in its order. */
export const CHAPTERS: readonly CodeChapter[] = [
  COMMON_CODES,
  TOKEN_VALIDATION_CODES,
  KEY_CODES,
  KEY_SET_CODES,
  OPERATION_CODES,
  EDGE_ERROR_CODES,
]
