import { onTestFinished } from 'vitest'
import type { Database } from '../../../src/management/store/index.js'
import { createOutbound } from '../../../src/node/outbound/index.js'
import { createZoneStage, ZONE, type Answer, type Item, type Stage } from '../stage.js'
import { startIssuer, type Issuer } from './issuer.js'

export const CONFIG = `/zones/${ZONE}/token_validation/config`

/** A management before an issuer, with timers that run when the test lets time pass. */
export interface KeySetStage {
  readonly stage: Stage
  readonly issuer: Issuer
  /** Outcomes of fetches so far. */
  readonly outcomes: string[]
  /** Makes a configuration with the issuer's address and these fixed keys. */
  create(keys?: readonly unknown[], uri?: string): Promise<Answer>
  /** How it stands with the key set of a configuration. */
  status(id: string): Promise<Item>
  /** `alg kid` of each key in the policy of gates. */
  inForce(): Promise<readonly string[]>
  /** Lets time pass: what is due then runs. Milliseconds. */
  pass(milliseconds: number): void
}

export async function createKeySetStage(open?: Database): Promise<KeySetStage> {
  const issuer = await startIssuer()
  const ticks = new Set<() => void>()
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const stage: Stage = await createZoneStage(open, {
    outbound: createOutbound({ allowPrivate: true }),
    allowHttpKeySets: true,
    every(_, run) {
      ticks.add(run)
      return () => void ticks.delete(run)
    },
    later(milliseconds, run) {
      const timer = { at: (started?.clock ?? 0) + milliseconds, run }
      // What is to be done at once is no matter of time.
      if (milliseconds === 0) setImmediate(() => timers.delete(timer) && run())
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  })
  const started: Stage | undefined = stage
  const outcomes: string[] = []
  const end = stage.management.keepKeySetsFresh(({ outcome }) => void outcomes.push(outcome))
  onTestFinished(async () => {
    issuer.close()
    await end()
    if (open === undefined) await stage.close()
  })
  return {
    stage,
    issuer,
    outcomes,
    create: (keys, uri = issuer.uri) =>
      stage.call('POST', CONFIG, {
        title: 'remote',
        description: '',
        token_type: 'JWT',
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { jwks_uri: uri, ...(keys && { keys }) },
      }),
    status: async (id) => (await stage.call('GET', `${CONFIG}/${id}/key_set`)).json.result,
    async inForce() {
      const { zone } = (await stage.management.policy(ZONE))!
      return (zone.token_configurations ?? []).flatMap(({ credentials }) =>
        (credentials.keys as readonly { alg: string; kid: string }[]).map(
          ({ alg, kid }) => `${alg} ${kid}`,
        ),
      )
    },
    pass(milliseconds) {
      stage.clock += milliseconds
      for (const timer of timers)
        if (timer.at <= stage.clock) {
          timers.delete(timer)
          timer.run()
        }
      for (const tick of ticks) tick()
    },
  }
}
