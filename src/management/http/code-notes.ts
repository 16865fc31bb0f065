import { codeChapter, type CodeNote } from './code-note.js'
import { CODES } from './codes.js'

const NOTES: Readonly<Record<keyof typeof CODES, CodeNote>> = {
  authentication: {
    title: 'No valid API token',
    statuses: [401],
    meaning: 'The request has no API token, or one that is unknown, expired or switched off.',
    expected: 'A header `Authorization: Bearer <API token>`. Other credentials are not looked at.',
    remedy:
      'Send a token that is valid now. `GET /user/tokens/verify` tells of one; on the machine of the store `portcullis token create` makes a new one.',
  },
  malformed_json: {
    title: 'The body cannot be read',
    statuses: [400],
    meaning: 'The body is missing, is not JSON in UTF-8, or is no form where a form is due.',
    expected: 'A body in the form that the endpoint lists below its request.',
    remedy:
      'Look at the position that the message names. The text around it is not repeated, as it may be a secret.',
  },
  forbidden: {
    title: 'The API token lacks a permission',
    statuses: [403],
    meaning: 'The token is valid and reaches the object, but may not do this with it.',
    expected: 'A token with the permission that the message and the endpoint name.',
    remedy:
      'Use another token, or let somebody who may edit API tokens add the permission to this one.',
  },
  not_found: {
    title: 'There is no such thing',
    statuses: [404, 200],
    meaning:
      'The address leads nowhere, the object does not exist, or the token does not reach it: the three are not told apart. Beside the success of a bulk call it tells of the entries that were not there.',
    expected: 'An address of this page with ids of objects that the token reaches.',
    remedy:
      'Check the address and its ids against the list they came from, and the scope of the token.',
  },
  method_not_allowed: {
    title: 'The address has no such method',
    statuses: [405],
    meaning: 'There is something at this address, but nothing that answers to this method.',
    expected: 'One of the methods in the message and in the header `Allow`.',
    remedy: 'Use one of them. `HEAD` is possible wherever `GET` is.',
  },
  conflict: {
    title: 'The state of things forbids it',
    statuses: [409],
    meaning:
      'The request is fine in itself, but what is stored stands against it: a name or id is taken, something is still in use, or a limit is reached.',
    expected: 'A state in which the change keeps everything whole.',
    remedy: 'Change what the message names first. Repeating the call as it is does not help.',
  },
  too_large: {
    title: 'The body is too large',
    statuses: [413],
    meaning: 'The body has more bytes than are read. Nothing of it was looked at.',
    expected: 'At most as many bytes as the message says.',
    remedy: 'Send the same in several calls, or a shorter document.',
  },
  unsupported_media_type: {
    title: 'The body is of another media type',
    statuses: [415],
    meaning:
      'The header `Content-Type` is missing or names a form that the endpoint does not read.',
    expected: '`application/json`, or `multipart/form-data` where the endpoint takes a file.',
    remedy: 'Set the header to what the body is.',
  },
  invalid_value: {
    title: 'A value is not as expected',
    statuses: [400],
    meaning:
      'A member of the body or a parameter is missing, of the wrong kind, or out of its limits. There is a message for each.',
    expected: 'What the message says about the place that `source.pointer` leads to.',
    remedy: 'Correct every place that is pointed at. Nothing was changed by the call.',
  },
  unknown_member: {
    title: 'A member has no meaning',
    statuses: [200],
    meaning: 'The call went well, but a member or parameter is not known here and was left out.',
    expected: 'Only members and parameters that the endpoint lists.',
    remedy: 'Look for a slip in its name, or leave it out.',
  },
  unavailable: {
    title: 'The store does not answer',
    statuses: [503],
    meaning: 'The database is away, busy, full, or can only be read. Nothing was changed.',
    expected: 'Nothing else of the caller. Gates go on deciding meanwhile.',
    remedy: 'Repeat the call after the seconds of the header `Retry-After`.',
  },
  internal: {
    title: 'Something broke here',
    statuses: [500],
    meaning: 'The software or its store failed. The cause is in the log, not in the answer.',
    expected: 'Nothing else of the caller.',
    remedy:
      'Try again later. If it stays, give the request id of the message to whoever operates the service: the log names the cause under it.',
  },
}

/** Codes that any endpoint may answer with. */
export const COMMON_CODES = codeChapter('Any endpoint', CODES, NOTES)
