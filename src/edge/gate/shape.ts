import type { PolicyIssue } from './policy-error.js'

/** Collects what is wrong (errors) and what is odd (notices) while a policy is read. */
export interface Report {
  readonly errors: PolicyIssue[]
  readonly notices: PolicyIssue[]
}

/** Checks a value at a pointer and reports what does not fit. */
export type Shape = (value: unknown, pointer: string, report: Report) => void

const fault = (report: Report, pointer: string, code: string, message: string): void => {
  report.errors.push({ code, message, pointer })
}

/** Text of at most `max` characters (code points), and at least `min`. */
export const text =
  (max: number = 4096, min: number = 0): Shape =>
  (value, pointer, report) => {
    if (typeof value !== 'string') fault(report, pointer, 'wrong_type', 'expected a string')
    else if ([...value].length > max)
      fault(report, pointer, 'too_long', `expected at most ${max} characters`)
    else if (value.length < min) fault(report, pointer, 'empty', 'expected text, found none')
  }

export const flag: Shape = (value, pointer, report) => {
  if (typeof value !== 'boolean') fault(report, pointer, 'wrong_type', 'expected true or false')
}

export const oneOf =
  (...choices: readonly unknown[]): Shape =>
  (value, pointer, report) => {
    if (!choices.includes(value))
      fault(report, pointer, 'not_allowed', `expected one of ${choices.map(quoted).join(', ')}`)
  }

export const anything: Shape = () => {}

export const either =
  (one: Shape, other: Shape, useOther: (value: unknown) => boolean): Shape =>
  (value, pointer, report) =>
    (useOther(value) ? other : one)(value, pointer, report)

export const orNull =
  (shape: Shape): Shape =>
  (value, pointer, report) =>
    value === null ? undefined : shape(value, pointer, report)

export const list =
  (item: Shape, max: number = Infinity, min: number = 0): Shape =>
  (value, pointer, report) => {
    if (!Array.isArray(value)) return fault(report, pointer, 'wrong_type', 'expected a list')
    if (value.length > max)
      fault(report, pointer, 'too_many', `expected at most ${max} entries, found ${value.length}`)
    if (value.length < min) fault(report, pointer, 'too_few', `expected at least ${min} entries`)
    value.forEach((entry, at) => item(entry, `${pointer}/${at}`, report))
  }

/** An object: required members, optional ones; any other member is a notice, for it has no effect. */
export const object =
  (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>>): Shape =>
  (value, pointer, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return fault(report, pointer, 'wrong_type', 'expected an object')
    const shapes = new Map(Object.entries({ ...required, ...optional }))
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value, name))
        fault(report, pointer, 'missing_member', `expected the member ${quoted(name)}`)
    }
    for (const [name, member] of Object.entries(value)) {
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const shape = shapes.get(name)
      if (shape !== undefined && member !== undefined) shape(member, at, report)
      else if (shape === undefined)
        report.notices.push({
          code: 'unknown_member',
          message: `${quoted(name)} has no meaning here and is ignored`,
          pointer: at,
        })
    }
  }

const quoted = (value: unknown): string => JSON.stringify(value)
