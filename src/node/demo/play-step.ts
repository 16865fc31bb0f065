import { request } from 'node:http'
import type { Decision } from '../../edge/index.js'
import type { DemoStep } from './demo-steps.js'

/** What an HTTP client saw. */
export interface Answered {
  readonly status: number
  /** Header lines, an empty line, the body. */
  readonly text: string
}

/** Sends a step's request to the gate as a client would. */
export function ask(gateUrl: string, step: DemoStep): Promise<Answered> {
  const { port, hostname } = new URL(gateUrl)
  const headers = { ...step.headers, host: `${step.host}:${port}` }
  return new Promise((resolve, reject) => {
    const { method, path } = step
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.once('error', reject)
      response.once('end', () => {
        const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`)
        resolve({ status: response.statusCode ?? 0, text: `${lines.join('\n')}\n\n${body}` })
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** What is not as the step expects; empty when all is. */
export function differences(
  { expect }: DemoStep,
  { status, text }: Answered,
  decision: Decision | null,
): readonly string[] {
  const decided = decision === null ? null : `${decision.action} ${decision.reason}`
  const found: string[] = []
  if (status !== expect.status) found.push(`expected status ${expect.status}, found ${status}`)
  if (decided !== expect.decision)
    found.push(`expected the decision ${expect.decision}, found ${decided}`)
  for (const part of expect.holds ?? [])
    if (!text.includes(part)) found.push(`expected the answer to hold ${part}`)
  for (const part of expect.lacks ?? [])
    if (text.includes(part)) found.push(`expected the answer not to hold ${part}`)
  return found
}
