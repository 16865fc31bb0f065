import type { ListenAddress } from '../listen-address.js'
import type { LogLevel } from '../log/index.js'
import type { Serving } from '../serve/index.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { listenOption } from './listen-option.js'
import { parseOptions } from './parse-options.js'
import { hasCome, stopSignal } from './stop-signal.js'
import { STORE_HELP, STORE_OPTIONS, storePlace } from './store-options.js'
import { checkTrusted } from './trusted-networks.js'
import { workerCount, workersOption } from './worker.js'

/** `portcullis serve`: management and gate in one command. */
export const serve: Command = {
  name: 'serve',
  summary: 'run the management API with a gate that follows it',
  help: `Usage: portcullis serve --data DIR [options]

Runs the management API at http://HOST:PORT/client/v4 and a gate before the upstreams of all zones.
What the API acknowledges is on the disk, and in force in the gate: at once, or within a second for
zones of thousands of rules and operations.

${STORE_HELP}
  --listen HOST:PORT   management API, default 127.0.0.1:8787
  --gate HOST:PORT     gate, default 127.0.0.1:8080
  --trust CIDR         believe X-Forwarded-* of these addresses at the gate, may repeat
  --allow-private-key-sets
                       key sets (jwks_uri) may be at private addresses and at http: ones
  --metrics-auth       /metrics needs an API token with zones:read everywhere; always so where
                       --listen is an address that other machines reach
  --workers N          gate processes, default 1: management holds up no request then, and one that
                       crashes is replaced while connections wait; 0 keeps the gate in the one process
  --log-level LEVEL    debug, info (default), warn, error or silent; debug tells what passes too

The first start prints an administrator's API token, once. Lost it? \`portcullis token create\`.
Beside the API, without a token: /healthz, /readyz and /metrics (Prometheus). Logs are JSON lines
on standard error. SIGINT and SIGTERM let open requests finish, for 10 s at most.

Environment:
  PORTCULLIS_API_TOKEN    text of the first administrator's token; then none is printed
  PORTCULLIS_SECRET_KEY   seals the secrets of configurations, in place of DIR/secret.key

Exit code: 0 after SIGINT or SIGTERM, 1 the store does not open or an address is taken, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, {
      ...STORE_OPTIONS,
      listen: { type: 'string', default: '127.0.0.1:8787' },
      gate: { type: 'string', default: '127.0.0.1:8080' },
      trust: { type: 'string', multiple: true },
      'allow-private-key-sets': { type: 'boolean' },
      'metrics-auth': { type: 'boolean' },
      workers: { type: 'string', default: '1' },
      'log-level': { type: 'string', default: 'info' },
    })
    if (positionals.length > 0) throw new UsageError(`unexpected '${positionals[0]}'`)
    const place = storePlace(values)
    if (place.data === undefined && !place.secretKey)
      throw new UsageError('expected --data DIR or PORTCULLIS_SECRET_KEY: secrets need a key')
    checkTrusted(values.trust)
    const count = workerCount(values.workers)
    const addresses = { listen: listenOption(values.listen), gate: listenOption(values.gate) }
    // Only here: other commands do without the store, and start sooner.
    const { startServe } = await import('../serve/index.js')
    const { createLogger, LOG_LEVELS } = await import('../log/index.js')
    const level = values['log-level'] as LogLevel
    if (!LOG_LEVELS.includes(level))
      throw new UsageError(`expected one of ${LOG_LEVELS.join(', ')}, found '${level}'`)
    const apiToken = givenToken()
    const { streams } = terminal
    // What several processes write to one pipe ends up within one another's lines: then one writes all.
    const log = createLogger(level, null, count === 0 ? undefined : streams.stderr)
    const stopped = stopSignal()
    let serving: Serving
    try {
      serving = await startServe({
        ...place,
        ...addresses,
        trust: values.trust,
        allowPrivateKeySets: values['allow-private-key-sets'],
        metricsAuth: values['metrics-auth'],
        apiToken,
        log,
        workers: count === 0 ? undefined : { ...workersOption(count), printTo: streams },
      })
    } catch (cause) {
      if (await hasCome(stopped)) return 0
      const where = optionOf(cause, addresses)
      terminal.err(`portcullis: cannot start: ${(cause as Error).message}${where}`)
      return 1
    }
    if (serving.firstToken !== undefined)
      terminal.out(`The administrator's API token, shown this once: ${serving.firstToken}`)
    terminal.out(`The management API listens on ${serving.managementUrl}`)
    terminal.out(`The gate listens on ${serving.gateUrl}`)
    await stopped
    log.info('finishing open requests')
    await serving.close()
    return 0
  },
}

/** Which option it was, where nothing can listen at one of two addresses. */
function optionOf(cause: unknown, addresses: Readonly<Record<string, ListenAddress>>): string {
  const { syscall, port } = cause as { readonly syscall?: unknown; readonly port?: unknown }
  const found = Object.entries(addresses).find(([, address]) => address.port === port)
  return syscall === 'listen' && found !== undefined ? ` (--${found[0]})` : ''
}

/** A token that no header can hold would lock everybody out. */
function givenToken(): string | undefined {
  const given = process.env['PORTCULLIS_API_TOKEN']
  if (given === undefined || given === '') return undefined
  if (!/^[\x21-\x7e]+$/.test(given))
    throw new UsageError('PORTCULLIS_API_TOKEN must be printable ASCII without space')
  return given
}
