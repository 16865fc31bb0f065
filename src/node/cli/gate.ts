import type { Decision } from '../../edge/index.js'
import {
  createServerGate,
  startGateServer,
  type GateServer,
  type GateServerOptions,
} from '../gate-server.js'
import type { Failure, ProxiedRequest } from '../index.js'
import { listenAddress } from '../listen-address.js'
import { readPolicyFile } from '../policy-file.js'
import { watchPolicy } from '../watch-policy.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { finish } from './finish.js'
import { followGate, managementOf } from './follow-gate.js'
import { startGateMetrics, type GateMetrics } from './gate-metrics.js'
import { isOrigin } from './is-origin.js'
import { parseOptions } from './parse-options.js'
import { faultsOf, printIssue, printStartFault } from './policy-report.js'
import { decisionLine, printDecision, type Asked } from './print-decision.js'
import { onStderr, printable, type Terminal } from './terminal.js'

/** `portcullis gate`: a reverse proxy that decides by a policy file, or by what management says. */
export const gate: Command = {
  name: 'gate',
  summary: 'run a gate: a reverse proxy that judges every request',
  help: `Usage: portcullis gate --policy FILE|URL [options]

Listens, judges every request by the policy and sends what passes to the zone's upstream. The file
is read again whenever it changes (and on SIGHUP); one that does not compile changes nothing. A URL
is that of a zone's policy in the management API (…/zones/ID/gate/policy): each change is in force
within a second. PORTCULLIS_GATE_TOKEN holds an API token with the permission \`gate\`. The last good
policy is kept on disk, and the gate starts from it when management is away.

  --policy FILE|URL    policy document (see \`portcullis check\`), or where management has it
  --state DIR          where a URL's policy is kept, default ~/.local/state/portcullis
  --instance NAME      what management knows this gate by, default HOSTNAME:PORT
  --listen HOST:PORT   default 127.0.0.1:8080
  --upstream URL       where requests go whose zone names no upstream
  --trust CIDR         believe X-Forwarded-* of these addresses, may repeat
  --metrics HOST:PORT  answer http://HOST:PORT/metrics (Prometheus) without a token: keep it from
                       the network. The age of a policy counts from when it came into force here
  --all                print every decision; by default those that log or block
  --quiet              print no decisions (failures of upstream always go to standard error)
  --json               print decisions as JSON, one a line

Exit code: 0 after SIGINT or SIGTERM, 1 the policy is bad or the address taken, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, {
      policy: { type: 'string' },
      state: { type: 'string' },
      instance: { type: 'string' },
      listen: { type: 'string', default: '127.0.0.1:8080' },
      upstream: { type: 'string' },
      trust: { type: 'string', multiple: true },
      metrics: { type: 'string' },
      all: { type: 'boolean' },
      quiet: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    const { policy: file } = values
    const listen = listenAddress(values.listen)
    if (file === undefined) throw new UsageError('expected --policy FILE or URL')
    if (positionals.length > 0) throw new UsageError(`unexpected '${positionals[0]}'`)
    if (listen === undefined) throw new UsageError(`expected HOST:PORT, found '${values.listen}'`)
    if (values.upstream !== undefined && !isOrigin(values.upstream))
      throw new UsageError(
        `expected a URL with http or https and no path, found '${values.upstream}'`,
      )
    const collected = values.metrics === undefined ? undefined : listenAddress(values.metrics)
    if (values.metrics !== undefined && collected === undefined)
      throw new UsageError(`expected HOST:PORT, found '${values.metrics}'`)
    const onDecision = (decision: Decision, asked: Asked) => {
      metrics?.decided(decision)
      if (values.quiet || (decision.action === 'pass' && !values.all)) return
      if (values.json) terminal.out(decisionLine(asked, decision, Date.now()))
      else printDecision(asked, decision, terminal)
    }
    const { upstream, trust } = values
    const start = (policy: Pick<GateServerOptions, 'policy' | 'gate'>) =>
      startGateServer({
        ...policy,
        listen,
        upstream,
        ...(trust && { trustForwarded: trust }),
        onDecision,
        onFailure(failure, asked) {
          metrics?.upstreamFailed(failure.code)
          terminal.err(failureLine(failure, asked))
        },
      })
    const management = /^https?:\/\//i.test(file) ? managementOf(file, values, listen) : undefined
    const stopped = stopSignal()
    let metrics: GateMetrics | undefined
    try {
      metrics = collected && (await startGateMetrics(collected, terminal))
    } catch (cause) {
      printStartFault(cause, file, terminal)
      return 1
    }
    if (management !== undefined)
      return followGate({ ...management, start, stopped, metrics, terminal }).finally(
        metrics?.close,
      )
    let server: GateServer
    try {
      const compiled = createServerGate(await readPolicyFile(file), metrics?.cache)
      metrics?.inForce(compiled.zones, compiled.epoch)
      server = await start({ gate: compiled })
    } catch (cause) {
      await metrics?.close()
      if (cause instanceof TypeError && cause.message.startsWith('trustForwarded'))
        throw new UsageError(cause.message.replace('trustForwarded', '--trust'))
      printStartFault(cause, file, terminal)
      return 1
    }
    for (const notice of server.gate.notices) printIssue(onStderr(terminal), file, 'notice', notice)
    const reload = () => void reloaded(server, file, terminal, metrics)
    const unwatch = file === '-' ? () => {} : watchPolicy(file, reload)
    process.on('SIGHUP', reload)
    terminal.err(`portcullis: the gate listens on ${server.url}`)
    await stopped
    unwatch()
    process.off('SIGHUP', reload)
    await finish(server, terminal)
    await metrics?.close()
    return 0
  },
}

/** A policy that does not compile is told about; the running one stays. */
async function reloaded(
  { gate: running }: GateServer,
  file: string,
  terminal: Terminal,
  metrics: GateMetrics | undefined,
): Promise<void> {
  try {
    running.replace(await readPolicyFile(file))
    metrics?.inForce(running.zones, running.epoch)
    terminal.err(`portcullis: policy ${running.epoch} is in force`)
  } catch (cause) {
    metrics?.refused()
    for (const issue of faultsOf(cause)) printIssue(onStderr(terminal), file, 'error', issue)
    terminal.err(`portcullis: the file is refused, policy ${running.epoch} stays in force`)
  }
}

/** Why upstream gave no answer. The query is left out, since it may hold a token. */
function failureLine({ code, error }: Failure, { method, host, target }: ProxiedRequest): string {
  const [path = ''] = target.split('?', 1)
  const why = error.message || ('code' in error ? String(error.code) : error.name)
  return `portcullis: ${printable(`${code} ${method} ${host}${path}: ${why}`)}`
}

export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
