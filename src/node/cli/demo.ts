import type { Decision, Zone } from '../../edge/index.js'
import {
  ask,
  demoPolicy,
  demoSteps,
  differences,
  makeDemoKeys,
  makeDemoTokens,
  startSampleUpstream,
  STEP_AFTER_CHANGE,
  type DemoStep,
  type DemoTokens,
} from '../demo/index.js'
import type { GateServer } from '../gate-server.js'
import type { Command, ExitCode } from './command.js'
import { listenOption } from './listen-option.js'
import { stopSignal } from './stop-signal.js'
import { parseOptions } from './parse-options.js'
import { printDecision, type Asked } from './print-decision.js'
import type { Terminal } from './terminal.js'

/** `portcullis demo`: the whole way of a request, on this machine, in one command. */
export const demo: Command = {
  name: 'demo',
  summary: 'see it work: a gate, an upstream, tokens and curl lines',
  help: `Usage: portcullis demo [--once] [--listen HOST:PORT] [--print-policy] [--json]

Starts a sample upstream and a gate before it with three token configurations (RS256, ES256,
HS256), prints curl lines with fresh tokens, and then every decision as it happens.

  --once           tell the story without you: send the requests, check each answer, and end
  --listen         default 127.0.0.1:8080, or a free port when that one is taken
  --print-policy   print the demo's policy document and end
  --json           with --once: one JSON object per step

Exit code: 0 every answer was as it should be, 1 one was not, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values } = parseOptions(args, {
      once: { type: 'boolean' },
      listen: { type: 'string', default: '127.0.0.1:8080' },
      'print-policy': { type: 'boolean' },
      json: { type: 'boolean' },
    })
    const listen = listenOption(values.listen)
    const keys = makeDemoKeys()
    if (values['print-policy']) {
      terminal.out(JSON.stringify(demoPolicy(keys, 'http://127.0.0.1:9000'), null, 2))
      return 0
    }
    const upstream = await startSampleUpstream()
    const policy = demoPolicy(keys, upstream.url)
    const listener: { hear(decision: Decision, asked: Asked): void } = { hear: () => {} }
    const options = { policy, onDecision: (d: Decision, asked: Asked) => listener.hear(d, asked) }
    // Only here: the list of commands does without.
    const { startGateServer } = await import('../gate-server.js')
    const server = await startGateServer({ ...options, listen }).catch(() =>
      startGateServer({ ...options, listen: { ...listen, port: 0 } }),
    )
    const tokens = await makeDemoTokens(keys, Date.now())
    try {
      if (values.once) return await tell(server, policy, tokens, listener, terminal, values.json)
      const stopped = stopSignal()
      invite(server, tokens, terminal)
      listener.hear = (decision, asked) => printDecision(asked, decision, terminal)
      await stopped
      return 0
    } finally {
      await server.close(0)
      await upstream.close()
    }
  },
}

/** Plays every step and checks its answer. */
async function tell(
  server: GateServer,
  policy: Zone,
  tokens: DemoTokens,
  listener: { hear(decision: Decision, asked: Asked): void },
  terminal: Terminal,
  json = false,
): Promise<ExitCode> {
  const { out, paint } = terminal
  let failures = 0
  const play = async (step: DemoStep) => {
    const heard: Decision[] = []
    listener.hear = (decision) => heard.push(decision)
    const answered = await ask(server.url, step)
    const [decision = null] = heard
    const wrong = differences(step, answered, decision)
    failures += wrong.length > 0 ? 1 : 0
    const { method, host, path, title } = step
    const { status } = answered
    if (json) return out(JSON.stringify({ title, method, host, path, status, decision, wrong }))
    out(`${wrong.length === 0 ? paint('green', '✓') : paint('red', '✗')} ${title}`)
    out(paint('dim', `    ${method} http://${host}${path} → ${status}`))
    if (decision !== null)
      printDecision(step, decision, { ...terminal, out: (line) => out(`    ${line}`) })
    for (const line of wrong) out(paint('red', `    ${line}`))
  }
  const steps = demoSteps(tokens)
  for (const step of steps) await play(step)
  server.gate.replace(stricter(policy))
  await play(STEP_AFTER_CHANGE)
  const count = steps.length + 1
  if (!json) out(`\n${count - failures} of ${count} answers as they should be`)
  return failures === 0 ? 0 : 1
}

/** The policy with every log rule turned into a block rule. */
function stricter(policy: Zone): Zone {
  const rules = policy.rules?.map((rule) => ({ ...rule, action: 'block' as const }))
  return { ...policy, ...(rules && { rules }) }
}

function invite({ url }: GateServer, tokens: DemoTokens, { out, paint }: Terminal): void {
  const { port } = new URL(url)
  const at = (host: string, path: string) => `http://${host}.localhost:${port}${path}`
  const lines: readonly (readonly [string, string])[] = [
    ['refused: no token', `curl -i ${at('api', '/orders/17')}`],
    [
      'passes: a customer',
      `curl ${at('api', '/orders/17')} -H 'Authorization: Bearer ${tokens.customer}'`,
    ],
    [
      'refused: expired',
      `curl -i ${at('api', '/orders/17')} -H 'Authorization: Bearer ${tokens.expired}'`,
    ],
    [
      'refused: no administrator',
      `curl -i ${at('admin', '/reports/2026')} -H 'Authorization: Bearer ${tokens.customer}'`,
    ],
    [
      'passes: an administrator',
      `curl ${at('admin', '/reports/2026')} -H 'Authorization: Bearer ${tokens.admin}'`,
    ],
    [
      'passes: a partner (ES256)',
      `curl ${at('partners', '/catalogue')} -H 'X-Partner-Token: ${tokens.partner}'`,
    ],
    ['logged only', `curl -X POST ${at('metrics', '/samples')}`],
    ['refused, as Markdown', `curl ${at('api', '/orders/17')} -H 'Accept: text/markdown'`],
  ]
  out(paint('bold', `The gate listens on ${url}. Try, in another terminal:`))
  for (const [what, line] of lines) out(`\n${paint('dim', `# ${what}`)}\n${line}`)
  out(
    `\nOr open ${at('api', '/orders/17')} in a browser. Every decision appears below; Ctrl-C ends.\n`,
  )
}
