/** What a run is asked: plain JSON, made once and given to every runtime. */
export interface Input {
  /** Keys as a user would configure them, by the name that tokens refer to. */
  readonly keySets: Readonly<Record<string, unknown>>
  readonly tokens: readonly TokenCase[]
  /** Expressions over schemes of their own. */
  readonly expressions: readonly ExpressionCase[]
  /** Expressions over the scheme of test/edge/expression/world.ts. */
  readonly world: readonly WorldCase[]
  readonly decisions: readonly DecisionCase[]
  readonly accepts: readonly AcceptCase[]
}

interface Case {
  readonly id: string
  /** The outcome, where it is known beforehand. */
  readonly expected?: string
}

export interface TokenCase extends Case {
  readonly keys: string
  readonly token: string
  /** Seconds since 1970. */
  readonly now: number
  /** Judge the signature alone: the payload is no claims. */
  readonly isBare?: boolean
}

export interface ExpressionCase extends Case {
  readonly expression: string
  readonly scheme: {
    readonly fields: Readonly<Record<string, string>>
    readonly nilNotEqual?: boolean
    readonly lists?: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>
    readonly maxNesting?: number
    readonly wildcardStarLimit?: number
  }
  readonly values: Readonly<Record<string, unknown>>
}

export interface WorldCase extends Case {
  readonly expression: string
  /** A `bigint` is `{ "bigint": "…" }`. */
  readonly values: Readonly<Record<string, unknown>>
}

export interface DecisionCase extends Case {
  readonly policy: unknown
  readonly request: {
    readonly method: string
    readonly host: string
    readonly target: string
    readonly lines: readonly (readonly [string, string])[]
  }
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface AcceptCase extends Case {
  readonly accept: string | null
}
