import fc from 'fast-check'
import { normalisePath, type Operation } from '../../../src/edge/selector/index.js'

const WORDS = [
  'a',
  'b',
  'users',
  'v1',
  'x.y',
  '__proto__',
  'constructor',
  '%2F',
  '%C3%A9',
  '~',
  ';',
]

/** Anything that could stand in a request line, the pieces that matter more often than others. */
export const sentPath: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('/', '/', '.', '..', '%2e', '%2E', '%2f', '%', '%25', '\\', ';', '{}', '\0'),
      fc.constantFrom(...WORDS),
      fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `/${parts.join('').replaceAll('?', '').replaceAll('#', '')}`)

/** A path in normal form. */
export const normalPath: fc.Arbitrary<string> = fc
  .tuple(fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }), fc.boolean())
  .map(([segments, slash]) => normalisePath(`/${segments.join('/')}${slash ? '/' : ''}`))

/** Another way to write a normal path: what clients, proxies and attackers send for it. */
export function otherForm(path: string): fc.Arbitrary<string> {
  const encoded = fc.array(fc.integer({ min: 0, max: 3 }), {
    minLength: path.length,
    maxLength: path.length,
  })
  const detours = fc.array(fc.constantFrom('/', '/.', '/%2e', '/x/..', '/x/%2E.', '//'), {
    minLength: 6,
    maxLength: 6,
  })
  return fc.tuple(encoded, detours).map(([how, where]) => {
    let slash = 0
    let written = ''
    for (let at = 0; at < path.length; at++) {
      const char = path[at] as string
      if (char === '/') {
        const detour = where[slash++ % where.length] as string
        // A detour before the last slash would not be one: the path ends there.
        written += detour === '/' ? '/' : `${detour}/`
      } else if (char === '%') {
        written += how[at] === 0 ? path.slice(at, at + 3).toLowerCase() : path.slice(at, at + 3)
        at += 2
      } else if (/[\w.~-]/.test(char) && (how[at] ?? 0) < 2) {
        const hex = char.charCodeAt(0).toString(16).padStart(2, '0')
        written += `%${how[at] === 0 ? hex : hex.toUpperCase()}`
      } else {
        written += char
      }
    }
    return written
  })
}

const HOSTS = [
  'a.example',
  'b.example',
  '{x}.example',
  'a.b.example',
  '{x}.b.example',
  'a.{x}.example',
  '{x}.{y}.example',
] as const
const SEGMENTS = ['a', 'b', '{x}', '{y}', ''] as const

export const METHODS = ['GET', 'POST'] as const
export const REQUEST_HOSTS = [
  'a.example',
  'b.example',
  'c.example',
  'a.b.example',
  'c.b.example',
  'c.d.example',
] as const

/** Few words, so that operations overlap. */
export const operations: fc.Arbitrary<readonly Operation[]> = fc
  .array(
    fc.record({
      method: fc.constantFrom(...METHODS),
      host: fc.constantFrom(...HOSTS),
      endpoint: fc
        .array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 })
        .map((segments) => `/${segments.join('/')}`),
    }),
    { maxLength: 14 },
  )
  .map((rows) => rows.map((row, at) => ({ operation_id: `op-${at}`, ...row })))
