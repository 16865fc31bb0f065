import type { PolicyIssue } from '../../edge/index.js'
import { PolicyError } from '../../edge/index.js'
import { PolicyFileError } from '../policy-file.js'
import { wordsOf } from '../why-refused.js'
import { onStderr, printable, type Terminal } from './terminal.js'

/** The faults of a policy that could not be read or compiled; anything else is thrown again. */
export function faultsOf(cause: unknown): readonly PolicyIssue[] {
  if (cause instanceof PolicyError) return cause.issues
  if (!(cause instanceof PolicyFileError)) throw cause
  const { code, message, line, column } = cause
  const place = line === undefined || column === undefined ? {} : { line, column }
  return [{ code, message, pointer: '', ...place }]
}

/** Prints one issue: where, what, and for an expression the place in it. */
export function printIssue(
  { out, paint }: Terminal,
  file: string,
  level: 'error' | 'notice',
  { code, message, pointer, line, column, frame }: PolicyIssue,
): void {
  const place = line === undefined ? '' : ` ${line}:${column ?? 1}`
  const label = paint(level === 'error' ? 'red' : 'yellow', level)
  out(`${label} ${paint('dim', `${printable(file)}${printable(pointer)}${place}`)} ${code}`)
  // A frame begins with the message itself.
  for (const text of (frame ?? message).split('\n')) out(`  ${printable(text)}`)
}

/** Tells why a policy is not put in force, whatever the reason: what was in force goes on. */
export function printRefusal(cause: unknown, file: string, terminal: Terminal): void {
  if (cause instanceof PolicyError || cause instanceof PolicyFileError)
    for (const issue of faultsOf(cause)) printIssue(onStderr(terminal), file, 'error', issue)
  else terminal.err(`portcullis: ${printable(wordsOf(cause))}`)
}
