/** A place in the source: the offsets of its first character and of the one after its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A logical expression as it was written; no types yet. */
export type Node = Logical | Not | Quantifier | Comparison

/** A run of one operator; runs of it flatten, parentheses keep them apart. */
export interface Logical extends Span {
  readonly kind: 'or' | 'xor' | 'and'
  readonly operands: readonly Node[]
}

export interface Not extends Span {
  readonly kind: 'not'
  readonly operand: Node
}

export interface Quantifier extends Span {
  readonly kind: 'any' | 'all'
  readonly operand: Argument
}

/** A place alone, or a place, an operator and a literal. */
export interface Comparison extends Span {
  readonly kind: 'comparison'
  readonly left: Place
  readonly operator?: Operator
  readonly right?: Literal
}

export type Place = Field | Call

export interface Field extends Span {
  readonly kind: 'field'
  readonly name: string
  readonly indexes: readonly Index[]
}

export interface Call extends Span {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Argument[]
  readonly indexes: readonly Index[]
}

/** `["key"]`, `[1]`, or, undefined, `[*]` for each element. */
export interface Index extends Span {
  readonly at: string | number | undefined
}

/** A place that stands alone here may have any type, unlike one in a logical expression. */
export type Argument = Node | Place | Text | Plain

/** A right-hand side. Its meaning waits for the type of the left. */
export type Literal = Text | Plain | Pattern | List | LiteralSet

/** A quoted or raw string, as bytes. */
export interface Text extends Span {
  readonly kind: 'text'
  readonly value: string
}

/** A number, address, range or byte string, not yet told apart. */
export interface Plain extends Span {
  readonly kind: 'plain'
  readonly text: string
}

/** The text of a regular expression, as it stands in the source from an offset on. */
export interface Pattern extends Span {
  readonly kind: 'pattern'
  readonly text: string
  readonly from: number
}

export interface List extends Span {
  readonly kind: 'list'
  readonly name: string
}

export interface LiteralSet extends Span {
  readonly kind: 'set'
  readonly items: readonly (Text | Plain)[]
}

export type Operator =
  | '=='
  | '!='
  | '>='
  | '<='
  | '>'
  | '<'
  | '&'
  | 'in'
  | 'contains'
  | 'matches'
  | 'wildcard'
  | 'strict wildcard'

/** Every spelling of an operator. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['==', '=='],
  ['!=', '!='],
  ['>=', '>='],
  ['<=', '<='],
  ['>', '>'],
  ['<', '<'],
  ['&', '&'],
  ['~', 'matches'],
  ['eq', '=='],
  ['ne', '!='],
  ['ge', '>='],
  ['le', '<='],
  ['gt', '>'],
  ['lt', '<'],
  ['bitwise_and', '&'],
  ['in', 'in'],
  ['contains', 'contains'],
  ['matches', 'matches'],
  ['wildcard', 'wildcard'],
  ['strict wildcard', 'strict wildcard'],
])
