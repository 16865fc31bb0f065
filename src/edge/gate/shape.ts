import { isObject } from '../token/index.js'
import type { Report } from './report.js'

/** Checks a value and reports what does not fit. */
export type Shape = (value: unknown, report: Report) => void

/** Text of at most `max` characters (code points), and at least `min`. */
export const text =
  (max: number = 4096, min: number = 0): Shape =>
  (value, report) => {
    if (typeof value !== 'string') report.error('wrong_type', 'expected a string')
    else if (value.length > max && [...value].length > max)
      report.error('too_long', `expected at most ${max} characters`)
    else if (value.length < min) report.error('empty', 'expected text, found none')
  }

export const flag: Shape = (value, report) => {
  if (typeof value !== 'boolean') report.error('wrong_type', 'expected true or false')
}

export const oneOf =
  (...choices: readonly unknown[]): Shape =>
  (value, report) => {
    if (!choices.includes(value))
      report.error('not_allowed', `expected one of ${choices.map(quoted).join(', ')}`)
  }

export const anything: Shape = () => {}

export const orNull =
  (shape: Shape): Shape =>
  (value, report) =>
    value === null ? undefined : shape(value, report)

export const list =
  (item: Shape, max: number = Infinity, min: number = 0): Shape =>
  (value, report) => {
    if (!Array.isArray(value)) return report.error('wrong_type', 'expected a list')
    const { length } = value
    if (length > max) report.error('too_many', `expected at most ${max} entries, found ${length}`)
    if (length < min) report.error('too_few', `expected at least ${min} entries`)
    for (const [at, entry] of value.entries()) item(entry, report.at(at))
  }

/** One item, or a list of them. */
export const oneOrMore =
  (item: Shape, max?: number, min?: number): Shape =>
  (value, report) =>
    (Array.isArray(value) ? list(item, max, min) : item)(value, report)

/** Members that the API adds to what it stores; they change nothing here. */
const STORED = ['created_at', 'last_updated', 'modified_by', 'account', 'version']

const unknownMember =
  (name: string): Shape =>
  (_, report) => {
    if (!STORED.includes(name))
      report.notice('unknown_member', `${quoted(name)} has no meaning here and is ignored`)
  }

/** An object: required members, optional ones; any other has no effect, unless `others` judges it. */
export const object =
  (
    required: Readonly<Record<string, Shape>>,
    optional: Readonly<Record<string, Shape>> = {},
    others: (name: string) => Shape = unknownMember,
  ): Shape =>
  (value, report) => {
    if (!isObject(value)) return report.error('wrong_type', 'expected an object')
    const members = new Map(Object.entries(value).filter(([, member]) => member !== undefined))
    const shapes = new Map(Object.entries({ ...required, ...optional }))
    for (const name of Object.keys(required)) {
      if (!members.has(name)) report.error('missing_member', `expected the member ${quoted(name)}`)
    }
    for (const [name, member] of members) {
      const shape = shapes.get(name) ?? others(name)
      shape(member, report.at(name))
    }
  }

const quoted = (value: unknown): string => JSON.stringify(value)
