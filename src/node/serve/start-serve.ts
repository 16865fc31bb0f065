import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createVerdictCache, type Decision } from '../../edge/index.js'
import type { Management } from '../../management/index.js'
import { createServerGate, startGateServer } from '../gate-server.js'
import { closed, listening } from '../http-listener.js'
import { isLoopback, type ListenAddress } from '../listen-address.js'
import type { ProxiedRequest } from '../proxy/index.js'
import { followZones, NO_ZONE, type FollowEvent } from './follow-zones.js'
import { gateMetrics } from './gate-metrics.js'
import { faultOf, type Logger } from './logger.js'
import { managementHandler } from './management-handler.js'
import { openStore, type StorePlace } from './open-store.js'
import { createServeMetrics } from './serve-metrics.js'

export interface ServeOptions extends StorePlace {
  /** Where the management API listens. */
  readonly listen: ListenAddress
  /** Where the gate listens. */
  readonly gate: ListenAddress
  /** Text of the first administrator's token, in place of a new one. */
  readonly apiToken?: string | undefined
  /** Networks whose `X-Forwarded-*` the gate believes; nobody's by default. */
  readonly trust?: readonly string[] | undefined
  /** The metrics need an API token, as they do where others than this machine reach the listener. */
  readonly metricsAuth?: boolean | undefined
  readonly log: Logger
}

/** A management API and a gate that follows it. */
export interface Serving {
  /** Of the API, with its base path. */
  readonly managementUrl: string
  readonly gateUrl: string
  /** The first administrator's token, if it was made just now: nothing else tells it. */
  readonly firstToken: string | undefined
  /** Takes nothing new, lets open requests finish for `graceMs` at most, and closes the store. */
  close(graceMs?: number): Promise<void>
}

/** Opens the store and starts both listeners. What it opened is closed again when it fails. */
export async function startServe(options: ServeOptions): Promise<Serving> {
  const { log } = options
  const store = await openStore(options, (cause, request_id) =>
    log.error({ request_id, ...faultOf(cause) }, 'fault'),
  )
  const opened: Opened = { listeners: [], floors: [store.close] }
  try {
    return await start(options, store.management, opened)
  } catch (cause) {
    await closeAll(opened, 0)
    throw cause
  }
}

/** What is to be closed: listeners together, then the floors below them from the top. */
interface Opened {
  readonly listeners: ((graceMs: number) => Promise<void>)[]
  readonly floors: (() => Promise<void>)[]
}

async function closeAll({ listeners, floors }: Opened, graceMs: number): Promise<void> {
  await Promise.all(listeners.map((close) => close(graceMs)))
  for (const close of floors.toReversed()) await close()
}

async function start(
  { listen, gate, apiToken, trust, metricsAuth, log }: ServeOptions,
  management: Management,
  opened: Opened,
): Promise<Serving> {
  const metrics = createServeMetrics()
  const cache = createVerdictCache()
  const running = createServerGate(NO_ZONE, cache)
  const follower = followZones(management, running, {
    onEvent(event) {
      if (event.kind === 'refused') metrics.refused(event.zone)
      logFollowing(log, event)
    },
  })
  opened.floors.push(follower.stop)
  const unhear = management.onAnnouncement(() => void follower.changed())
  opened.floors.push(async () => unhear())
  await follower.changed()
  let stopping = false

  const gateServer = await startGateServer({
    gate: running,
    listen: gate,
    ...(trust && { trustForwarded: trust }),
    onDecision(decision, asked) {
      metrics.decided(decision)
      logDecision(log, decision, asked)
    },
    onFailure({ code }, { ray }) {
      metrics.upstreamFailed(code)
      log.warn({ code, ray }, 'upstream failed')
    },
  })
  opened.listeners.push(gateServer.close)

  const handle = managementHandler({
    api: management.fetch,
    changed: () => follower.changed(),
    ready: () => !stopping && follower.inStep,
    async metrics() {
      // Where the store does not answer, what this process knows is all the more of interest.
      const gates = await management.gates().catch(() => [])
      return metrics.text(follower, cache, Date.now()) + gateMetrics(gates, Date.now())
    },
    ...((metricsAuth || !isLoopback(listen)) && {
      metricsRefusal: (request: Request) => management.refusal(request, 'zones:read'),
    }),
    answered: metrics.answered,
    log,
  })
  const server = createServer(getRequestListener(handle, { overrideGlobalObjects: false }))
  const managementUrl = `${await listening(server, listen)}/client/v4`
  opened.listeners.push((graceMs) => closed(server, graceMs))
  // Last: a token that is made is told, whatever else could fail.
  const firstToken = await management.ensureFirstToken(apiToken)
  log.info({ management: managementUrl, gate: gateServer.url }, 'listening')
  return {
    managementUrl,
    gateUrl: gateServer.url,
    firstToken,
    async close(graceMs = 10_000) {
      stopping = true
      // Streams of events would hold the listener open for as long as it waits.
      management.close()
      await closeAll(opened, graceMs)
    },
  }
}

function logFollowing(log: Logger, event: FollowEvent): void {
  const { kind } = event
  if (kind === 'refused') {
    const issues = event.cause.issues.map(({ code, pointer }) => ({ code, pointer }))
    log.error({ zone: event.zone, version: event.version, issues }, 'policy refused')
  } else if (kind === 'lost') log.error(faultOf(event.cause), 'the store does not answer')
  else if (kind === 'found') log.info('the store answers again')
  else
    log.info(
      { zone: event.zone, version: event.version },
      kind === 'gone' ? 'zone is served no more' : 'policy in force',
    )
}

/** What passes is said at level debug. No query: it may hold a token. */
function logDecision(log: Logger, decision: Decision, { ray, method, host }: ProxiedRequest): void {
  const level = decision.action === 'pass' ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const [path] = decision.target.split('?', 1)
  log[level]({ ray, method, host, path, ...decision.toJSON() }, 'decision')
}
