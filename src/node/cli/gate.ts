import type { Zone } from '../../edge/index.js'
import { isOrigin } from '../../edge/selector/index.js'
import { GATE_MODES } from '../gate-modes.js'
import { readPolicyFile } from '../policy-file.js'
import { withoutCredentials } from './without-credentials.js'
import { watchPolicy } from '../watch-policy.js'
import {
  gateHere,
  gateWorkers,
  zonesOf,
  type GatePlace,
  type Gates,
  type UnknownKeysHearer,
  type WorkerEvent,
} from '../workers/index.js'
import { badUpstream } from './bad-upstream.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { finish } from './finish.js'
import { followGate, managementOf } from './follow-gate.js'
import { startGateMetrics, type GateMetrics } from './gate-metrics.js'
import { listenOption } from './listen-option.js'
import { parseOptions } from './parse-options.js'
import { printIssue, printRefusal } from './policy-report.js'
import { printHooks } from './print-hooks.js'
import { printStartFault } from './start-fault.js'
import { hasCome, stopSignal } from './stop-signal.js'
import { onStderr, type Terminal } from './terminal.js'
import { checkTrusted } from './trusted-networks.js'
import { workerCount, workersOption, type Voice } from './worker.js'

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
  --mode MODE          proxy (default), or who asks the gate instead of being served by it:
                       auth-request (nginx), forward-auth (Caddy, Traefik), ext-authz (Envoy, HTTP),
                       ext-authz-grpc (Envoy, gRPC; needs @grpc/grpc-js and @grpc/proto-loader)
  --trust CIDR         believe X-Forwarded-* of these addresses, may repeat; in other modes than
                       proxy nobody else may ask, and this machine may by default
  --metrics HOST:PORT  answer http://HOST:PORT/metrics (Prometheus) without a token: keep it from
                       the network. The age of a policy counts from when it came into force here
  --workers N          gate processes beside the one that follows the policy; default 0: it is one
                       process, and a large policy is compiled between requests
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
      mode: { type: 'string', default: 'proxy' },
      workers: { type: 'string', default: '0' },
      trust: { type: 'string', multiple: true },
      metrics: { type: 'string' },
      all: { type: 'boolean' },
      quiet: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    const { policy: file } = values
    const listen = listenOption(values.listen)
    if (file === undefined) throw new UsageError('expected --policy FILE or URL')
    if (positionals.length > 0) throw new UsageError(`unexpected '${positionals[0]}'`)
    if (values.upstream !== undefined && !isOrigin(values.upstream))
      throw new UsageError(
        `expected a URL with http or https and no path, found '${withoutCredentials(values.upstream)}'`,
      )
    const collected = values.metrics === undefined ? undefined : listenOption(values.metrics)
    const count = workerCount(values.workers)
    const { upstream, trust, all = false, quiet = false, json = false } = values
    const printing = { all, quiet, json }
    const place = { listen, upstream, trust, mode: modeOf(values.mode) }
    checkTrusted(trust)
    const hearers: UnknownKeysHearer[] = []
    const onUnknownKeys: UnknownKeysHearer = (...told) => hearers.forEach((hear) => hear(...told))
    let metrics: GateMetrics | undefined
    const gates =
      count === 0
        ? gateHere(place, { ...printHooks(terminal, printing), onUnknownKeys })
        : gateWorkers({
            ...place,
            ...workersOption(count),
            voice: { print: printing, colour: terminal.colour } satisfies Voice,
            printTo: terminal.streams,
            onUnknownKeys,
            onEvent(event) {
              if (event.kind === 'ended') metrics?.workerEnded()
              terminal.err(workerLine(event))
            },
          })
    const management = /^https?:\/\//i.test(file) ? managementOf(file, values, listen) : undefined
    const stopped = stopSignal()
    try {
      metrics = collected && (await startGateMetrics(collected, gates, terminal))
    } catch (cause) {
      await gates.close(0)
      printStartFault(cause, file, terminal)
      return 1
    }
    if (management !== undefined)
      return followGate({ ...management, gates, hearers, stopped, metrics, terminal }).finally(
        metrics?.close,
      )
    // First: what changes while the gate starts is looked at once it listens.
    let begin: (() => void) | undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const put = () => putFile(file, gates, place.mode, terminal)
    const reload = reloading(put, file, terminal, metrics, begun)
    const unwatch = file === '-' ? () => {} : watchPolicy(file, reload)
    process.on('SIGHUP', reload)
    let url: string
    try {
      const policy = await put()
      metrics?.inForce(policy, 1)
      url = await gates.listen()
    } catch (cause) {
      unwatch()
      await gates.close(0)
      await metrics?.close()
      if (await hasCome(stopped)) return 0
      printStartFault(cause, file, terminal)
      return 1
    }
    terminal.err(`portcullis: the gate listens on ${url}`)
    begin?.()
    await stopped
    unwatch()
    // Without a listener the signal would end the gate, which still answers.
    process.on('SIGHUP', ignore).off('SIGHUP', reload)
    await finish(gates, terminal)
    await metrics?.close()
    return 0
  },
}

const ignore = (): void => {}

/** Puts a file in force, and tells what is odd in it. */
async function putFile(
  file: string,
  gates: Gates,
  mode: GatePlace['mode'],
  terminal: Terminal,
): Promise<unknown> {
  const policy = await readPolicyFile(file)
  await gates.put(policy)
  const odd = mode === 'proxy' ? (zonesOf(policy) as readonly Zone[]).flatMap(badUpstream) : []
  for (const notice of [...gates.notices, ...odd])
    printIssue(onStderr(terminal), file, 'notice', notice)
  return policy
}

/** What puts the file in force again; a policy that does not compile is told about, the running one stays. */
function reloading(
  put: () => Promise<unknown>,
  file: string,
  terminal: Terminal,
  metrics: GateMetrics | undefined,
  begun: Promise<void>,
): () => void {
  let inForce = 1
  async function reload(): Promise<void> {
    try {
      const policy = await put()
      metrics?.inForce(policy, inForce + 1)
      terminal.err(`portcullis: policy ${++inForce} is in force`)
    } catch (cause) {
      metrics?.refused()
      printRefusal(cause, file, terminal)
      terminal.err(`portcullis: the file is refused, policy ${inForce} stays in force`)
    }
  }
  // One after the other: what was read last is in force in the end.
  let last = begun
  return () => void (last = last.then(reload))
}

function workerLine(event: WorkerEvent): string {
  return event.kind === 'ended'
    ? `portcullis: gate process ${event.pid} ended: ${event.how}`
    : `portcullis: gate process ${event.pid} listens`
}

/** @throws {UsageError} */
function modeOf(text: string): NonNullable<GatePlace['mode']> {
  if (GATE_MODES.includes(text)) return text as NonNullable<GatePlace['mode']>
  throw new UsageError(`expected --mode ${GATE_MODES.join(', ')}, found '${text}'`)
}
