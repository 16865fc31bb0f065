import { ExpressionError } from './error.js'
import { parseInteger } from './integer.js'
import { Lexer } from './lexer.js'
import type { Argument, Comparison, Index, Literal, Node, Operator, Place } from './syntax.js'
import { OPERATORS } from './syntax.js'

const MAX_LENGTH = 4096
const MAX_INDEX = 2 ** 32 - 1

/** What may be an operator: `&&` joins expressions, `&` compares. */
const OPERATOR = /[=!<>]=|[<>~]|&(?!&)|strict[ \t\r\n]+wildcard\b|\w+/y
const NAME = /\w+(?:\.\w+)*/y
/** What may only begin a logical expression, when it begins an argument. */
const LOGICAL = /[(!]|not(?![\w.])|(?:any|all)[ \t\r\n]*\(/y
/** What may only be a literal, when it begins an argument. */
const LITERAL = /[\d:-]|[a-fA-F][\da-fA-F][:-]/y
const LIST = /\$([a-z0-9_.]*)/y
const CALL = /[ \t\r\n]*\(/y

/**
 * Reads an expression into its tree. Names and types are not judged.
 *
 * @throws {ExpressionError}
 */
export function parse(source: string, maxNesting: number): Node {
  // A character has at most two units, so a text of any length is refused without being read.
  if (source.length > 2 * MAX_LENGTH || [...source].length > MAX_LENGTH) {
    const message = `an expression may have ${MAX_LENGTH} characters`
    throw new ExpressionError('too_long', message, source, 0, source.length)
  }
  return new Parser(source, maxNesting).whole()
}

class Parser extends Lexer {
  private nesting: number

  constructor(source: string, maxNesting: number) {
    super(source)
    this.nesting = maxNesting
  }

  whole(): Node {
    this.index = this.expr.length - this.expr.trimStart().length
    const node = this.logical()
    const rest = this.expr.slice(this.index).trim()
    if (rest === '') return node
    const start = this.expr.indexOf(rest, this.index)
    const message = `unexpected ${rest.split(/\s/, 1)}, where the expression should end`
    return this.fail('unexpected_input', message, start, start + rest.length, { found: rest })
  }

  /** A simple expression: what stands between and, xor and or. Ends exactly after it. */
  override gobbleToken(): Node {
    this.gobbleSpaces()
    const start = this.index
    if (this.eat('(')) {
      return this.nested(start, () => {
        const node = this.logical()
        this.close(')')
        return node
      })
    }
    const name = this.peek(NAME)?.[0]
    if (this.eat('!') || (name === 'not' && this.eat(name))) {
      return this.nested(start, () => {
        const operand = this.gobbleToken()
        return { kind: 'not', operand, start, end: this.index }
      })
    }
    if ((name === 'any' || name === 'all') && this.peek(LOGICAL)) {
      return this.nested(start, () => {
        this.index += name.length
        this.close('(')
        const operand = this.argument()
        this.close(')')
        return { kind: name, operand, start, end: this.index }
      })
    }
    return this.comparison()
  }

  private nested<Result>(start: number, read: () => Result): Result {
    if (--this.nesting < 0) this.fail('too_deep', 'nested too deeply', start)
    const result = read()
    this.nesting++
    return result
  }

  private comparison(): Comparison {
    const left = this.place()
    const { start } = left
    this.gobbleSpaces()
    const operator = this.operator()
    if (!operator) {
      this.index = left.end
      return { kind: 'comparison', left, start, end: left.end }
    }
    this.gobbleSpaces()
    const right = this.literal(operator)
    return { kind: 'comparison', left, operator, right, start, end: right.end }
  }

  private operator(): Operator | undefined {
    const [spelling = ''] = this.peek(OPERATOR) ?? []
    const operator = OPERATORS.get(spelling.replace(/\s+/, ' '))
    if (operator) this.index += spelling.length
    return operator
  }

  private place(): Place {
    const start = this.index
    const name = this.peek(NAME)?.[0] ?? this.expected('a field, a function or (')
    this.index += name.length
    const args = this.peek(CALL) && this.nested(start, () => this.args())
    const indexes = this.indexes()
    const rest = { name, indexes, start, end: this.index }
    return args ? { kind: 'call', args, ...rest } : { kind: 'field', ...rest }
  }

  private args(): Argument[] {
    const args: Argument[] = []
    this.close('(')
    this.gobbleSpaces()
    if (this.eat(')')) return args
    for (;;) {
      args.push(this.argument())
      this.gobbleSpaces()
      if (this.eat(')')) return args
      if (!this.eat(',')) this.expected(', or )')
    }
  }

  private argument(): Argument {
    this.gobbleSpaces()
    if (this.peek(LOGICAL)) return this.logical()
    const literal = this.text() ?? (this.peek(LITERAL) && this.plain())
    if (literal) return literal
    const node = this.comparison()
    return node.operator ? node : node.left
  }

  private indexes(): Index[] {
    const indexes: Index[] = []
    for (let start = this.index; this.eat('['); start = this.index) {
      this.gobbleSpaces()
      const at = this.at()
      this.close(']')
      indexes.push({ at, start, end: this.index })
    }
    return indexes
  }

  private at(): string | number | undefined {
    if (this.eat('*')) return
    if (this.expr[this.index] === '"') return this.quoted()
    const {
      text = '',
      start = 0,
      end = 0,
    } = this.plain() ?? this.expected('*, a string or a number')
    const value = parseInteger(text)
    if (typeof value === 'number' && value >= 0 && value <= MAX_INDEX) return value
    return this.fail('bad_index', `${text} is no index`, start, end)
  }

  private literal(operator: Operator): Literal {
    if (operator === 'in') return this.list() ?? this.set()
    if (operator === 'matches') return this.pattern() ?? this.expected('a quoted or raw string')
    return this.text() ?? this.plain() ?? this.expected('a literal')
  }

  private list(): Literal | undefined {
    const start = this.index
    const [list, name = ''] = this.peek(LIST) ?? []
    if (list === undefined) return
    this.index += list.length
    if (!/^[^.](?:.*[^.])?$/.test(name)) {
      this.fail(
        'bad_list_name',
        'lists are named $ and a-z, 0-9, _ and inner dots',
        start,
        this.index,
      )
    }
    return { kind: 'list', name, start, end: this.index }
  }

  private set(): Literal {
    const start = this.index
    if (!this.eat('{')) this.expected('{ or $')
    const items = []
    for (;;) {
      this.gobbleSpaces()
      if (this.eat('}')) return { kind: 'set', items, start, end: this.index }
      items.push(this.text() ?? this.plain() ?? this.expected('a literal or }'))
    }
  }
}
