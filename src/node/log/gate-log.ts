import type { Decision } from '../../edge/index.js'
import { faultText } from '../fault-text.js'
import type { Failure, ProxiedRequest } from '../index.js'
import type { Logger } from './logger.js'

/** The hooks of a gate that logs. */
export interface GateLog {
  onDecision(decision: Decision, asked: ProxiedRequest): void
  onFailure(failure: Failure, asked: ProxiedRequest): void
}

/** What passes is said at level debug. No query: it may hold a token. */
export const gateLog = (log: Logger): GateLog => ({
  onDecision(decision, { ray, method, host }) {
    const level = decision.action === 'pass' ? 'debug' : 'info'
    if (!log.isLevelEnabled(level)) return
    const [path] = decision.target.split('?', 1)
    log[level]({ ray, method, host, path, ...decision.toJSON() }, 'decision')
  },
  onFailure({ code, error }, { ray, method, host, target }) {
    const [path] = target.split('?', 1)
    log.warn({ ray, method, host, path, code, why: faultText(error) }, 'upstream failed')
  },
})
