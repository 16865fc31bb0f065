import { compile, ExpressionError, requestScheme } from '../../edge/expression/index.js'
import { ApiError, message, pointerTo, type Message } from '../http/index.js'
import { CODES } from './codes.js'

type Lists = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>

/** A field of each type that lists may hold: what is asked of it compiles when the list is one. */
const PROBES = new Map([
  ['Bytes', 'http.host'],
  ['Int', 'http.request.timestamp.sec'],
  ['Ip', 'ip.src'],
])

/**
 * Checks named lists by using each once, for the gate reads those only that an expression names.
 * @throws {ApiError} 400 for a type, a name or an item that is none
 */
export function checkLists(lists: Lists): void {
  const faults = Object.entries(lists).flatMap(([type, named]) => {
    const field = PROBES.get(type)
    if (field === undefined)
      return [fault(`expected one of ${[...PROBES.keys()].join(', ')}`, ['lists', type])]
    return Object.keys(named).flatMap((name) => {
      const wrong = wrongWith(`${field} in $${name}`, lists)
      return wrong === undefined ? [] : [fault(wrong, ['lists', type, name])]
    })
  })
  if (faults.length > 0) throw ApiError.of(400, faults)
}

function wrongWith(probe: string, lists: Lists): string | undefined {
  try {
    compile(probe, { ...requestScheme, lists })
    return undefined
  } catch (cause) {
    // Without the name and the item, which the messages repeat: either may be a secret astray.
    if (cause instanceof ExpressionError) return 'expected a name such as my.list_1'
    if (cause instanceof TypeError) return 'expected items of this type only'
    throw cause
  }
}

const fault = (text: string, steps: readonly string[]): Message =>
  message(CODES.invalid_setting, text, pointerTo(steps))
