import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { jsonFault } from './json-fault.js'

/** A policy file that cannot be read as JSON. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError'
  readonly code: 'unreadable' | 'not_json'
  /** Counted from 1, where the reader tells it. */
  readonly line?: number
  readonly column?: number

  constructor(code: 'unreadable' | 'not_json', message: string, place?: Place) {
    super(message)
    this.code = code
    if (place !== undefined) Object.assign(this, place)
  }
}

const NOT_UTF8 =
  'expected UTF-8, found another encoding, such as UTF-16 or Latin-1: save it as UTF-8'

interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Reads a policy document from a file, or from standard input for `-`.
 * @throws {PolicyFileError} `unreadable` or `not_json`, the latter with line and column and without
 * the text there: a policy holds secrets.
 */
export async function readPolicyFile(path: string): Promise<unknown> {
  const read = path === '-' ? buffer(process.stdin) : readFile(path)
  const bytes = await read.catch((cause: Error) => {
    throw new PolicyFileError('unreadable', cause.message)
  })
  // A byte order mark, as some editors begin a file with, is left out.
  const json = new TextDecoder().decode(bytes)
  if (!isUtf8(bytes))
    throw new PolicyFileError('not_json', NOT_UTF8, placeOf(json.indexOf('\ufffd'), json))
  try {
    return JSON.parse(json)
  } catch (cause) {
    const fault = jsonFault(json)
    if (fault === undefined) throw cause
    const { offset, expected } = fault
    // Who begins with something else than JSON means another format.
    const said = json.slice(0, offset).trim() === '' ? `${expected}: a policy is JSON` : expected
    throw new PolicyFileError('not_json', said, placeOf(offset, json))
  }
}

function placeOf(offset: number, json: string): Place {
  const before = json.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
