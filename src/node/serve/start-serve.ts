import { getRequestListener } from '@hono/node-server'
import { SealError, type Management } from '../../management/index.js'
import { createDocumentReader } from '../documents/index.js'
import { closed, listening } from '../http-listener.js'
import { instanceName } from '../instance-name.js'
import { later } from '../later.js'
import { isLoopback, type ListenAddress } from '../listen-address.js'
import { faultOf, gateLog, type Logger } from '../log/index.js'
import { quietServer } from '../quiet-server.js'
import { openStore, type StorePlace } from '../store/index.js'
import {
  gateHere,
  gateWorkers,
  WorkerEnded,
  type Gates,
  type GateWorkersOptions,
  type WorkerEvent,
} from '../workers/index.js'
import { followZones, NO_ZONE, type FollowEvent } from './follow-zones.js'
import { gateMetrics } from './gate-metrics.js'
import { isLargeZone } from './is-large-zone.js'
import { managementHandler } from './management-handler.js'
import { reportGates } from './report-gates.js'
import { createServeMetrics, type ServeMetrics } from './serve-metrics.js'

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
  /** Gates in processes of their own; without it the gate is in this process. */
  readonly workers?:
    Pick<GateWorkersOptions, 'workers' | 'program' | 'secretVariables' | 'printTo'> | undefined
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
  const onFault = (cause: unknown, request_id: string) =>
    log.error({ request_id, ...faultOf(cause) }, 'fault')
  // A document that is being read would keep the process for as long as that takes.
  const ending = new AbortController()
  const readDocument = createDocumentReader({ ended: ending.signal })
  const store = await openStore(options, onFault, readDocument)
  const opened: Opened = { listeners: [], floors: [store.close, async () => ending.abort()] }
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
  options: ServeOptions,
  management: Management,
  opened: Opened,
): Promise<Serving> {
  const { listen, apiToken, metricsAuth, log } = options
  const metrics = createServeMetrics()
  const gates = gatesOf(options, metrics, management)
  opened.listeners.push(gates.close)
  // First: an address that is taken is no fault of the store, which the follower would take it for.
  await gates.put({ zones: [NO_ZONE] })
  const follower = followZones(management, {
    put: gates.put,
    onEvent(event) {
      if (event.kind === 'refused') metrics.refused(event.zone)
      logFollowing(log, event)
      reports.heard(event)
    },
  })
  const reports = reportGates({
    tell: management.gatesTell,
    running: () => follower.running,
    instance: instanceName(options.gate),
    started_at: Date.now() * 1000,
    later,
  })
  opened.floors.push(reports.stop, follower.stop)
  await follower.changed()
  const endFetching = management.keepKeySetsFresh((event) => {
    const { outcome, ...set } = event
    metrics.keySetFetched(set.zone_id, outcome)
    log[KEPT.has(outcome) ? 'info' : 'warn']({ ...set, outcome }, 'key set fetched')
  })
  opened.floors.push(endFetching)
  let stopping = false
  const gateUrl = await gates.listen()

  const handle = managementHandler({
    api: management.fetch,
    settled: follower.settled,
    isLarge: (id) => isLargeZone(follower.running, id),
    ready: () => !stopping && follower.inStep && gates.live > 0,
    async metrics() {
      const counted = await gates.counts()
      // Where the store does not answer, what this process knows is all the more of interest.
      const others = await management.gates().catch(() => [])
      const now = Date.now()
      return (
        metrics.text({ follower, gates: counted, live: gates.live, now }) + gateMetrics(others, now)
      )
    },
    ...((metricsAuth || !isLoopback(listen)) && {
      metricsRefusal: (request: Request) => management.refusal(request, 'zones:read'),
    }),
    answered: metrics.answered,
    log,
  })
  const server = quietServer({}, getRequestListener(handle, { overrideGlobalObjects: false }))
  const managementUrl = `${await listening(server, listen)}/client/v4`
  opened.listeners.push((graceMs) => closed(server, graceMs))
  // Last: a token that is made is told, whatever else could fail.
  const firstToken = await management.ensureFirstToken(apiToken)
  log.info({ management: managementUrl, gate: gateUrl }, 'listening')
  return {
    managementUrl,
    gateUrl,
    firstToken,
    async close(graceMs = 10_000) {
      stopping = true
      // Streams of events would hold the listener open for as long as it waits.
      management.close()
      await closeAll(opened, graceMs)
    },
  }
}

/** Outcomes of a fetch that did not fail. */
const KEPT: ReadonlySet<string> = new Set(['changed', 'unchanged'])

function logFollowing(log: Logger, event: FollowEvent): void {
  const { kind } = event
  if (kind === 'refused') {
    const issues = event.cause.issues.map(({ code, pointer }) => ({ code, pointer }))
    log.error({ zone: event.zone, version: event.version, issues }, 'policy refused')
  } else if (kind === 'lost') logLost(log, event.cause)
  else if (kind === 'found') log.info('the store answers again')
  else
    log.info(
      { zone: event.zone, version: event.version },
      kind === 'gone' ? 'zone is served no more' : 'policy in force',
    )
}

function logLost(log: Logger, cause: unknown): void {
  if (cause instanceof SealError)
    log.error(`${cause.message}: put back the secret.key with which this store was used`)
  else if (cause instanceof WorkerEnded)
    log.error(faultOf(cause), 'no gate process takes the policy')
  else log.error(faultOf(cause), 'the store does not answer')
}

/** Gates in this process, or in others. */
function gatesOf(
  { gate, trust, log, workers }: ServeOptions,
  metrics: ServeMetrics,
  { unknownKeys: onUnknownKeys }: Management,
): Gates {
  const place = { listen: gate, trust }
  if (workers === undefined) return gateHere(place, { ...gateLog(log), onUnknownKeys })
  return gateWorkers({
    ...place,
    ...workers,
    voice: { log: log.level },
    onUnknownKeys,
    onEvent(event) {
      if (event.kind === 'ended') metrics.workerEnded()
      logWorker(log, event)
    },
  })
}

function logWorker(log: Logger, event: WorkerEvent): void {
  const { kind, pid } = event
  if (kind === 'ended') log.error({ pid, how: event.how }, 'a gate process ended')
  else log.info({ pid }, 'a gate process listens')
}
