import { isObject } from '../token/index.js'
import type { Report } from './report.js'

/** Checks a value and reports what does not fit. */
export type Shape = (value: unknown, report: Report) => void

/** Text of `min` to `max` characters (code points). */
export const text =
  (max: number = 4096, min: number = 0): Shape =>
  (value, report) => {
    if (typeof value !== 'string') return report.error('wrong_type', 'expected a string')
    within([...value].length, min, max, 'characters', report)
  }

function within(length: number, min: number, max: number, what: string, report: Report): void {
  if (length >= min && length <= max) return
  report.error('wrong_size', `expected ${min} to ${max} ${what}, found ${length}`)
}

export const oneOf =
  (...choices: readonly unknown[]): Shape =>
  (value, report) => {
    if (!choices.includes(value))
      report.error('not_allowed', `expected one of ${choices.map(quoted).join(', ')}`)
  }

export const flag: Shape = oneOf(true, false)

export const anything: Shape = () => {}

export const orNull =
  (shape: Shape): Shape =>
  (value, report) =>
    value === null ? undefined : shape(value, report)

export const list =
  (item: Shape, max: number = Infinity, min: number = 0): Shape =>
  (value, report) => {
    if (!Array.isArray(value)) return report.error('wrong_type', 'expected a list')
    within(value.length, min, max, 'entries', report)
    for (const [at, entry] of value.entries()) item(entry, report.at(at))
  }

/** One item, or a list of them. */
export const oneOrMore =
  (item: Shape, max?: number, min?: number): Shape =>
  (value, report) =>
    (Array.isArray(value) ? list(item, max, min) : item)(value, report)

const unknownMember =
  (name: string): Shape =>
  (_, report) => {
    // Members that the API adds to what it stores change nothing here.
    if (!['created_at', 'last_updated', 'modified_by', 'account', 'version'].includes(name))
      report.notice('unknown_member', `${quoted(name)} means nothing here`)
  }

/** An object: required members, optional ones; any other has no effect, unless `others` judges it. */
export const object = (
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
  others: (name: string) => Shape = unknownMember,
): Shape => {
  const shapes = new Map(Object.entries({ ...required, ...optional }))
  return (value, report) => {
    if (!isObject(value)) return report.error('wrong_type', 'expected an object')
    for (const name of Object.keys(required)) {
      if (value[name] === undefined)
        report.error('missing_member', `expected the member ${quoted(name)}`)
    }
    for (const [name, member] of Object.entries(value)) {
      const shape = shapes.get(name) ?? others(name)
      if (member !== undefined) shape(member, report.at(name))
    }
  }
}

const quoted = (value: unknown): string => JSON.stringify(value)
