/** Where a text is not JSON, and what JSON would have there. */
export interface JsonFault {
  /** In UTF-16 units. */
  readonly offset: number
  readonly expected: string
}

const SPACE = /[ \t\n\r]*/y
/** Without its closing quote, so that a bad character or escape is where the match ends. */
const TEXT = /"(?:[ !#-[\]-\u{10ffff}]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

type State = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'after'

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'expected a value',
  'first item': 'expected a value or ]',
  'first name': 'expected a name in quotes or }',
  name: 'expected a name in quotes',
  colon: 'expected a colon',
  after: 'expected a comma or the end',
}

/**
 * Finds the first place where a text is not JSON (RFC 8259); `undefined` when it is JSON. The engine's
 * own message repeats the text around the fault, which may be a secret.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: string[] = []
  let at = 0
  let state: State = 'value'
  const take = (pattern: RegExp): number => {
    pattern.lastIndex = at
    const { length } = pattern.exec(text)?.[0] ?? ''
    at += length
    return length
  }
  const fault = (expected: string): JsonFault => ({ offset: at, expected })
  for (;;) {
    take(SPACE)
    const next = text[at]
    const inside = open.at(-1)
    const closes = next !== undefined && next === inside
    if (state === 'after' && inside === undefined)
      return next === undefined ? undefined : fault('expected nothing after the value')
    if (closes && (state === 'after' || state.startsWith('first'))) {
      open.pop()
      at++
      state = 'after'
    } else if (state === 'after' || state === 'colon') {
      if (next !== (state === 'after' ? ',' : ':')) return fault(EXPECTED[state])
      at++
      state = state === 'after' && inside === '}' ? 'name' : 'value'
    } else if (next === '"') {
      take(TEXT)
      if (text[at] !== '"') return fault('expected a string as JSON writes it, up to its quote')
      at++
      state = state.endsWith('name') ? 'colon' : 'after'
    } else if (state.endsWith('name')) {
      return fault(EXPECTED[state])
    } else if (next === '{' || next === '[') {
      open.push(next === '{' ? '}' : ']')
      at++
      state = next === '{' ? 'first name' : 'first item'
    } else if (take(WORD) > 0) {
      state = 'after'
    } else {
      return fault(EXPECTED[state])
    }
  }
}
