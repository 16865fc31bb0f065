import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compile, ExpressionError } from '../../../src/edge/expression/index.js'
import type { Scheme, TokenState } from '../../../src/edge/expression/index.js'

type Outcome = boolean | 'parse_error'

interface Case {
  readonly id: string
  readonly expression: string
  readonly scheme?: string
  readonly values: Record<string, unknown>
  readonly lists?: Scheme['lists']
  readonly nil_not_equal?: boolean
  readonly max_nesting?: number
  readonly wildcard_star_limit?: number
  readonly optional?: readonly string[]
  readonly expect: Outcome
}

/** By case id what we answer instead; the reasons are in src/edge/expression/DIFFERENCES.md. */
const DIFFERENCES: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  // A tab is whitespace.
  ['op-270', true],
  ['fz-1259', true],
  ['fz-1313', false],
  ['fz-1553', false],
  // A word operator ends at a word boundary.
  ['op-281', 'parse_error'],
  ['fz-1378', 'parse_error'],
  // Unicode mode of regular expressions is an error that names it.
  ['op-402', 'parse_error'],
  ['op-407', 'parse_error'],
])

const folder = new URL('../../../../shared/vectors/', import.meta.url)
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as unknown
const token = (id: string): TokenState => (id === 'cfg-valid' ? 'valid' : 'absent')

function outcomeOf(item: Case, fields: Record<string, string>, defaults: object): Outcome {
  try {
    const predicate = compile(item.expression, {
      fields,
      nilNotEqual: item.nil_not_equal ?? true,
      ...(item.lists && { lists: item.lists }),
      ...(item.max_nesting !== undefined && { maxNesting: item.max_nesting }),
      ...(item.wildcard_star_limit !== undefined && {
        wildcardStarLimit: item.wildcard_star_limit,
      }),
    })
    return predicate.evaluate({ ...defaults, ...item.values }, token)
  } catch (error) {
    if (error instanceof ExpressionError) return 'parse_error'
    throw error
  }
}

const named = ({ id, expression }: Case): string => `${id}: ${expression}`

const missing = !existsSync(folder)
if (missing) console.warn('skipped: the shared vectors are not beside this clone')

describe.skipIf(missing)('shared vectors', () => {
  interface File {
    readonly schemes: Record<string, Record<string, string>>
    readonly defaults: Record<string, object>
    readonly cases: readonly Case[]
  }
  interface RandomFile {
    readonly meta: { readonly scheme: Record<string, string> }
    readonly cases: readonly Case[]
  }

  test('the written cases agree, but for the declared differences', () => {
    const { schemes, defaults, cases } = read('rules-language.json') as File
    const wrong = cases.filter((item) => {
      const scheme = item.scheme ?? ''
      const values = item.optional ? {} : (defaults[scheme] ?? {})
      const ours = outcomeOf(item, schemes[scheme] ?? {}, values)
      return ours !== (DIFFERENCES.get(item.id) ?? item.expect)
    })
    expect(wrong.map(named)).toEqual([])
    expect(cases.length).toBeGreaterThan(200)
  })

  test('the random cases agree, but for the declared differences', () => {
    const { meta, cases } = read('rules-language-random.json') as RandomFile
    const wrong = cases.filter(
      (item) => outcomeOf(item, meta.scheme, {}) !== (DIFFERENCES.get(item.id) ?? item.expect),
    )
    expect(wrong.map(named)).toEqual([])
    expect(cases).toHaveLength(1000)
  })

  test('at most twelve cases differ', () => {
    expect(DIFFERENCES.size).toBeLessThanOrEqual(12)
  })
})
