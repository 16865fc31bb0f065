import {
  readEdgeErrors,
  type EdgeErrors,
  type EdgeErrorsDocument,
} from '../../edge/edge-errors/index.js'
import { Report, type PolicyIssue } from '../../edge/gate/index.js'
import { message, type Message } from '../http/index.js'
import type { Row } from '../store/index.js'
import { CODES } from './codes.js'

/** A document compiled, what is wrong with it, and what is odd. */
export interface Judged {
  /** Of use where nothing is wrong. */
  readonly errors: EdgeErrors
  readonly faults: readonly Message[]
  readonly notices: readonly Message[]
}

/** The members of a zone that its expressions are written for. */
export type ZoneWords = Pick<Row<'zones'>, 'settings' | 'lists'>

/**
 * Compiles what is to be in force as a gate will.
 *
 * @param place where the document's `/rules/0/expression` and the like stand in the call
 */
export function judgeEdgeErrors(
  document: EdgeErrorsDocument,
  { settings, lists }: ZoneWords,
  place: (pointer: string) => string,
): Judged {
  const { nil_not_equal: nilNotEqual, merge_slashes: mergeSlashes } = JSON.parse(settings) as {
    nil_not_equal?: boolean
    merge_slashes?: boolean
  }
  const report = new Report()
  const options = { lists: JSON.parse(lists), nilNotEqual, mergeSlashes }
  const errors = readEdgeErrors(document, report, options)
  const told = (code: number) => (issue: PolicyIssue) =>
    message(code, textOf(issue), place(issue.pointer))
  return {
    errors,
    faults: report.errors.map((issue) =>
      told(issue.frame === undefined ? CODES.not_allowed : CODES.invalid_expression)(issue),
    ),
    notices: report.notices.map(told(CODES.notice)),
  }
}

const textOf = ({ message: text, frame = text, line, column }: PolicyIssue): string =>
  line === undefined || column === undefined ? frame : `line ${line}, column ${column}: ${frame}`
