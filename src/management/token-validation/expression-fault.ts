import type { ExpressionError } from '../../edge/expression/index.js'
import { message, type Message } from '../http/index.js'

/** An expression that does not compile, with line and column, and a caret under the place. */
export const expressionFault = (
  code: number,
  { frame, line, column }: ExpressionError,
  pointer: string,
): Message => message(code, `line ${line}, column ${column}: ${frame}`, pointer)
