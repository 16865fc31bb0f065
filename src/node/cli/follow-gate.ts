import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ListenAddress } from '../listen-address.js'
import { followPolicy } from '../follow-policy.js'
import { instanceName } from '../instance-name.js'
import type { FollowOptions, FollowState } from '../policy-source.js'
import type { Gates, UnknownKeysHearer } from '../workers/index.js'
import { UsageError, type ExitCode } from './command.js'
import { finish } from './finish.js'
import type { GateMetrics } from './gate-metrics.js'
import { printRefusal } from './policy-report.js'
import { isStartFault, printStartFault } from './start-fault.js'
import { hasCome } from './stop-signal.js'
import { printable, type Terminal } from './terminal.js'

/** Answers that waiting does not change, since the URL or the token is wrong, and what to look at. */
const HOPELESS: ReadonlyMap<number | undefined, string> = new Map([
  [401, 'is the token in PORTCULLIS_GATE_TOKEN still valid?'],
  [403, 'has the token in PORTCULLIS_GATE_TOKEN the permission gate for this zone?'],
  [404, 'is the id of the zone in the URL right?'],
])

type Management = Pick<FollowOptions, 'url' | 'token' | 'cacheDir' | 'instance'>

/** How a gate that follows management is run. */
export interface FollowGateOptions extends Management {
  readonly gates: Gates
  /** Who hears of keys that the gates do not know. */
  readonly hearers: UnknownKeysHearer[]
  readonly stopped: Promise<void>
  readonly metrics?: GateMetrics | undefined
  readonly terminal: Terminal
}

/**
 * How the gate of a command line reaches management.
 * @throws {UsageError} for a URL that cannot be, and without a token for it
 */
export function managementOf(
  url: string,
  {
    state,
    instance,
  }: { readonly state?: string | undefined; readonly instance?: string | undefined },
  listen: ListenAddress,
): Management {
  const { PORTCULLIS_GATE_TOKEN: token = '', XDG_STATE_HOME } = process.env
  if (!URL.canParse(url) || !new URL(url).pathname.endsWith('/gate/policy'))
    throw new UsageError(`expected a URL such as https://HOST/client/v4/zones/ID/gate/policy`)
  const { username, password } = new URL(url)
  if (username + password !== '')
    throw new UsageError('expected a URL without credentials, and a token in PORTCULLIS_GATE_TOKEN')
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('expected an API token in PORTCULLIS_GATE_TOKEN')
  return {
    url,
    token,
    cacheDir: state ?? join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'portcullis'),
    instance: instance ?? instanceName(listen),
  }
}

/**
 * Runs a gate by what management says. It listens once there is a policy: management's, or the last
 * one on disk.
 */
export async function followGate(options: FollowGateOptions): Promise<ExitCode> {
  const { gates, hearers, stopped, metrics, terminal, url, ...management } = options
  let giveUp: (() => void) | undefined
  let fail: ((cause: unknown) => void) | undefined
  const hopeless = new Promise<'refused'>((resolve, reject) => {
    giveUp = () => resolve('refused')
    fail = reject
  })
  const tellInForce = (version: number, where = '') =>
    terminal.err(`portcullis: policy version ${version} is in force${where}`)
  const source = followPolicy({
    ...management,
    url,
    async onPolicy(policy, { version, from }) {
      await gates.put(policy).catch((cause: unknown) => {
        if (source.running === undefined && isStartFault(cause)) {
          // First: management is not to hear that the policy is refused.
          void source.stop()
          fail?.(cause)
        }
        throw cause
      })
      metrics?.inForce(policy, version)
      tellInForce(version, from === 'disk' ? ', from disk' : '')
    },
    onVersion({ version }) {
      metrics?.renumbered(version)
      tellInForce(version)
    },
    onRefused({ version, cause }) {
      printRefusal(cause, url, terminal)
      terminal.err(`portcullis: policy version ${version} is refused${stays()}`)
      metrics?.refused()
    },
    onState(state) {
      metrics?.connected(state.connected)
      terminal.err(`portcullis: ${wordsFor(state)}${state.connected ? '' : stays()}`)
      if (source.running === undefined && HOPELESS.has(state.status)) giveUp?.()
    },
  })
  hearers.push((_, unknown) => source.unknownKeys(unknown))
  // From the start to the end: without a listener the signal would end the gate.
  process.on('SIGHUP', source.check)
  const stays = () =>
    source.running === undefined ? '' : `, version ${source.running.version} stays in force`
  let listens: string
  try {
    const end = stopped.then(() => 'stopped')
    const outcome = await Promise.race([source.ready, end, hopeless])
    if (outcome !== undefined) {
      await source.stop()
      await gates.close(0)
      return outcome === 'stopped' ? 0 : 1
    }
    listens = await gates.listen()
  } catch (cause) {
    await source.stop()
    await gates.close(0)
    if (await hasCome(stopped)) return 0
    printStartFault(cause, url, terminal)
    return 1
  }
  terminal.err(`portcullis: the gate listens on ${listens}`)
  await stopped
  await source.stop()
  await finish(gates, terminal)
  process.off('SIGHUP', source.check)
  return 0
}

function wordsFor({ connected, problem, status }: FollowState): string {
  if (problem === undefined) return 'management answers'
  if (connected) return `following with trouble: ${printable(problem)}`
  const advice = HOPELESS.get(status)
  return `no policy from management: ${printable(problem)}${advice === undefined ? '' : ` (${advice})`}`
}
