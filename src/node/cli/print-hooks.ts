import { faultText } from '../fault-text.js'
import type { Failure, ProxiedRequest } from '../index.js'
import type { GateHooks } from '../workers/index.js'
import { byTurns } from './by-turns.js'
import { decisionLine, printDecision } from './print-decision.js'
import { printable, type Terminal } from './terminal.js'

/** What a gate prints. */
export interface Printing {
  /** What passes, too. */
  readonly all: boolean
  /** No decisions. */
  readonly quiet: boolean
  readonly json: boolean
}

/** Decisions on standard output, failures of upstream on standard error. */
export function printHooks(terminal: Terminal, { all, quiet, json }: Printing): GateHooks {
  const lines = { ...terminal, out: byTurns(terminal) }
  return {
    onDecision(decision, asked) {
      if (quiet || (decision.action === 'pass' && !all)) return
      if (json) lines.out(decisionLine(asked, decision, Date.now()))
      else printDecision(asked, decision, lines)
    },
    onFailure: (failure, asked) => terminal.err(failureLine(failure, asked)),
  }
}

/** Why there was no answer. The query is left out, since it may hold a token. */
function failureLine({ code, error }: Failure, { method, host, target }: ProxiedRequest): string {
  const [path = ''] = target.split('?', 1)
  // A question that could not be read names no request.
  const what = method === '' ? '' : `${code} ${method} ${host}${path}: `
  return `portcullis: ${printable(`${what}${faultText(error)}`)}`
}
