import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderEdits } from '../../edge/embed/index.js'
import { answer, endTogether, type Answer, type HeaderLines } from '../proxy/index.js'
import type { Dialect } from './dialect.js'
import { editLines } from './edit-lines.js'
import type { Asker } from './inquiry.js'
import { hasTwin } from './twins.js'

/** A proxy that asks over HTTP: 200 lets pass, anything else is for its client. */
export class HttpAsker implements Asker {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #head: HeaderLines
  readonly #dialect: Dialect

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    head: HeaderLines,
    dialect: Dialect,
  ) {
    this.#request = request
    this.#response = response
    this.#head = head
    this.#dialect = dialect
  }

  pass(edits: HeaderEdits | null): boolean {
    const removes = this.#dialect.removal !== undefined
    if (edits !== null && !removes && hasTwin(edits, this.#head)) return false
    const lines = editLines(edits, this.#dialect)
    endTogether(this.#response.writeHead(200, [...lines, 'Content-Length', '0']))
    return true
  }

  refuse(refused: Answer): void {
    if (this.#response.headersSent) this.#response.destroy()
    else answer(this.#request, this.#response, refused)
  }
}
