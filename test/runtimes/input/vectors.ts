import { existsSync, readFileSync } from 'node:fs'
import type { KeyCases } from './case-of-key.js'
import type { AcceptCase, ExpressionCase, Input, TokenCase } from '../suite/input.js'

interface RulesFile {
  readonly schemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly defaults: Readonly<Record<string, object>>
  readonly cases: readonly RulesCase[]
}

interface RulesCase {
  readonly id: string
  readonly expression: string
  readonly scheme?: string
  readonly values: Record<string, unknown>
  readonly lists?: ExpressionCase['scheme']['lists']
  readonly nil_not_equal?: boolean
  readonly max_nesting?: number
  readonly wildcard_star_limit?: number
  readonly optional?: readonly string[]
}

type Jwk = Readonly<Record<string, unknown>>
interface WycheproofFile {
  readonly testGroups: readonly {
    readonly comment: string
    readonly private?: Jwk
    readonly public?: Jwk
    readonly tests: readonly { readonly tcId: number; readonly jws?: unknown }[]
  }[]
}

type Vectors = Pick<Input, 'keySets' | 'tokens' | 'expressions' | 'accepts'>

const PRIVATE = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi'])

/** The shared vectors, or undefined where they are not beside this clone. */
export function vectorsIn(folder: URL): Vectors | undefined {
  if (!existsSync(folder)) return undefined
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as unknown
  const random = read('rules-language-random.json') as {
    readonly meta: { readonly scheme: Record<string, string> }
    readonly cases: readonly RulesCase[]
  }
  const { cases } = read('accept.json') as { readonly cases: readonly AcceptCase[] }
  const wycheproof = ['signature', 'key', 'crypto'].map((file) =>
    wycheproofCases(file, read(`wycheproof/json_web_${file}_test.json`) as WycheproofFile),
  )
  return {
    keySets: Object.assign({}, ...wycheproof.map(({ keySets }) => keySets)),
    tokens: wycheproof.flatMap(({ tokens }) => tokens),
    expressions: [
      ...written(read('rules-language.json') as RulesFile),
      ...random.cases.map((item) => expressionCase(item, random.meta.scheme, {})),
    ],
    accepts: cases.map(({ accept }, at) => ({ id: `vector/accept/${at}`, accept })),
  }
}

function written({ schemes, defaults, cases }: RulesFile): readonly ExpressionCase[] {
  return cases.map((item) => {
    const scheme = item.scheme ?? ''
    return expressionCase(
      item,
      schemes[scheme] ?? {},
      item.optional ? {} : (defaults[scheme] ?? {}),
    )
  })
}

function expressionCase(
  item: RulesCase,
  fields: Readonly<Record<string, string>>,
  defaults: object,
): ExpressionCase {
  return {
    id: `vector/${item.id}`,
    expression: item.expression,
    scheme: {
      fields,
      nilNotEqual: item.nil_not_equal ?? true,
      ...(item.lists && { lists: item.lists }),
      ...(item.max_nesting !== undefined && { maxNesting: item.max_nesting }),
      ...(item.wildcard_star_limit !== undefined && {
        wildcardStarLimit: item.wildcard_star_limit,
      }),
    },
    values: { ...defaults, ...item.values },
  }
}

function wycheproofCases(file: string, { testGroups }: WycheproofFile): KeyCases {
  const keySets: Record<string, unknown> = {}
  const tokens: TokenCase[] = []
  for (const [at, group] of testGroups.entries()) {
    // The project knows no encrypted tokens.
    if (group.comment.startsWith('jwe')) continue
    const keys = `wycheproof/${file}/${at}`
    const source = group.public ?? group.private!
    const all = Array.isArray(source['keys']) ? (source['keys'] as Jwk[]) : [source]
    keySets[keys] = all.map((jwk) =>
      Object.fromEntries(Object.entries(jwk).filter(([name]) => !PRIVATE.has(name))),
    )
    for (const { tcId, jws } of group.tests) {
      const token = typeof jws === 'string' ? jws : (JSON.stringify(jws) ?? '')
      tokens.push({ id: `wycheproof/${file}/${tcId}`, keys, token, now: 0, isBare: true })
    }
  }
  return { keySets, tokens }
}
