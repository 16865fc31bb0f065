import { codeChapter, type CodeNote } from '../http/index.js'
import { CODES } from './codes.js'

const NOTES: Readonly<Record<keyof typeof CODES, CodeNote>> = {
  invalid_document: {
    title: 'The document is no OpenAPI 3 document',
    statuses: [400],
    meaning: 'The text is neither JSON nor YAML, or not built as OpenAPI 3 says.',
    expected: 'An OpenAPI 3.0 or 3.1 document of one file, in JSON or YAML.',
    remedy: 'Correct the place that `source.pointer` leads to within the document.',
  },
  no_operation: {
    title: 'The document describes no operation of the zone',
    statuses: [400],
    meaning: 'Nothing was left to add: the messages after this one say what was left out and why.',
    expected: 'At least one path with a method, and a server with a host of the zone or with none.',
    remedy: 'Correct `servers` and `paths` as the other messages say.',
  },
  too_many: {
    title: 'Too many operations in one document',
    statuses: [400],
    meaning: 'The document describes more operations than one call adds.',
    expected: 'At most as many as the message says.',
    remedy: 'Split the document.',
  },
  foreign_server: {
    title: 'A server was left out',
    statuses: [200, 400],
    meaning: 'A server of the document has no address that lies in the zone.',
    expected: 'Servers whose host is the name of the zone or ends in it.',
    remedy: 'Nothing, if other servers of the document are meant; else correct its `url`.',
  },
  server_default: {
    title: 'Variables of a server were taken as their defaults',
    statuses: [200, 400],
    meaning: 'The path of a server has variables; operations were added for the default values.',
    expected: 'A server whose path is fixed.',
    remedy: 'Upload it once more with other defaults, where more values are in use.',
  },
  no_host: {
    title: 'A server names no host',
    statuses: [200, 400],
    meaning: 'The document does not say at which host its operations are; the zone was taken.',
    expected: 'A server with a whole URL.',
    remedy: 'Name the host in `servers` if it is another one.',
  },
  not_expressible: {
    title: 'A part that operations cannot express',
    statuses: [200, 400],
    meaning: 'A path or method cannot be written as an operation, and was left out.',
    expected: 'Paths whose variables are whole segments, and the usual methods of HTTP.',
    remedy: 'Rewrite the path, or cover its requests by the setting for unlisted operations.',
  },
  unresolved_reference: {
    title: 'A reference leads nowhere',
    statuses: [200, 400],
    meaning: 'A `$ref` is not within the document, leads nowhere or in a circle; it was left out.',
    expected: 'References that begin with `#/` and lead to a part of the same document.',
    remedy: 'Bundle the document into one file.',
  },
  not_validated: {
    title: 'Requests are not validated against the schema',
    statuses: [200],
    meaning: 'Validation is kept as a mark for clients. Gates judge tokens, not bodies.',
    expected: '`validation_enabled: false`.',
    remedy: 'Nothing. The operations of the document are in force all the same.',
  },
}

/** Codes of OpenAPI documents that are uploaded or imported. */
export const OPERATION_CODES = codeChapter('OpenAPI documents of a zone', CODES, NOTES)
