import { createSecretKey } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type Cloudflare from 'cloudflare'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openDatabase } from '../../../../src/management/store/index.js'
import { sqliteDialect } from '../../../../src/node/store/index.js'
import { postgresDialect } from '../../../../src/node/store/postgres/index.js'
import { listening } from '../../../../src/node/http-listener.js'
import { judgedFetch } from '../../../management/contract.js'
import { makeToken } from '../../../edge/token/keys.js'
import { clientOf, startServing, stopServing, through, type Serving } from '../serving.js'
import { createLedger, dice, secretOf, type Ledger } from './ledger.js'
import { judge, type Verdict } from './verdict.js'
import { write } from './writer.js'

const KILLS = 10
const WRITERS = 100
const ZONES = 10
/** How long the process lives, all lives together, and the shortest of them. */
const ALIVE_MS = 30_000
const SHORTEST_MS = 1000
/** Changes that tell something; the last life goes on until then, however slow the machine is. */
const FEWEST = 100
const PATIENCE_MS = 120_000
const TOKEN = 'an-administrator-of-the-tests'
const ENV = { PORTCULLIS_API_TOKEN: TOKEN }

const zoneIds = Array.from({ length: ZONES }, (_, at) => at.toString(16).padStart(32, '0'))
const hostOf = (zone: string): string => `shop-${Number.parseInt(zone, 16)}.example`

/** Where the store is. */
export interface CrashPlace {
  /** Data folder. */
  readonly data: string
  /** Postgres; the folder's own SQLite without it. */
  readonly database?: string
}

/**
 * A hundred writers change ten zones through the real process, which is killed ten times: whatever
 * it has acknowledged is there afterwards, and nothing is there by half.
 */
export async function crashStory(place: CrashPlace): Promise<string> {
  const upstream = createServer((_, response) => response.end('from upstream'))
  const upstreamUrl = await listening(upstream, { host: '127.0.0.1', port: 0 })
  const args = [
    ...(place.database === undefined ? [] : ['--database', place.database]),
    '--log-level',
    'error',
  ]
  const begin = performance.now()
  const ledger = createLedger()
  let life = createLife()
  const writers = Array.from({ length: WRITERS }, (_, at) => {
    const zone = zoneIds[at % ZONES]!
    return write({ at, zone, host: hostOf(zone), token: TOKEN }, () => life.origin, ledger)
  })
  for (const [at, ms] of livesOf(2026).entries()) {
    const serving = await startServing(place.data, args, ENV)
    if (at === 0) await prepare(clientOf(serving, TOKEN), upstreamUrl)
    const ended = serving.ended.then(({ err }) => expect(err).toBe(''))
    life.begin(serving.origin)
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (at === KILLS - 1) await enough(ledger)
    life = createLife()
    await stopServing(serving, 'SIGKILL')
    await ended
  }
  life.begin(undefined)
  await Promise.all(writers)
  const seconds = Math.round((performance.now() - begin) / 1000)

  const verdict = await lookInside(place, ledger)
  expect(verdict.faults).toEqual([])
  const serving = await startServing(place.data, args, ENV)
  await secretsOpen(serving, verdict)
  await stopServing(serving)
  upstream.close()
  return (
    `${ledger.acknowledged} changes acknowledged, ${ledger.unanswered} without an answer ` +
    `(${verdict.done} there, ${verdict.undone} not), ${KILLS} kills, ${seconds} s`
  )
}

async function enough(ledger: Ledger): Promise<void> {
  const timeout = PATIENCE_MS
  await expect.poll(() => ledger.acknowledged, { timeout }).toBeGreaterThan(FEWEST)
  await expect.poll(() => ledger.reused, { timeout }).toBeGreaterThan(0)
}

/** A life that may begin later, with the address of the process. */
function createLife(): {
  readonly origin: Promise<string | undefined>
  begin(origin: string | undefined): void
} {
  let begin: (origin: string | undefined) => void = () => {}
  const origin = new Promise<string | undefined>((resolve) => (begin = resolve))
  return { origin, begin: (at) => begin(at) }
}

/** How long each life lasts, in milliseconds: all together `ALIVE_MS`. */
function livesOf(seed: number): readonly number[] {
  const random = dice(seed)
  const weights = Array.from({ length: KILLS }, random)
  const total = weights.reduce((sum, weight) => sum + weight)
  return weights.map((weight) => SHORTEST_MS + ((ALIVE_MS - KILLS * SHORTEST_MS) * weight) / total)
}

async function prepare(client: Cloudflare, upstream: string): Promise<void> {
  const account = await client.accounts.create({ name: 'Shops' })
  for (const id of zoneIds) {
    const body = { id, name: hostOf(id), account: { id: account.id }, upstream }
    await client.zones.create(body)
  }
}

/** Before any process has touched the store again. */
async function lookInside({ data, database }: CrashPlace, ledger: Ledger): Promise<Verdict> {
  const db = await openDatabase(
    database === undefined ? sqliteDialect(join(data, 'portcullis.db')) : postgresDialect(database),
  )
  if (database === undefined) {
    const { rows } = await sql`pragma integrity_check`.execute(db)
    expect(rows).toEqual([{ integrity_check: 'ok' }])
  }
  const verdict = await judge(db, zoneIds, ledger)
  await db.destroy()
  return verdict
}

interface GatePolicy {
  readonly token_configurations: readonly {
    readonly id: string
    readonly credentials: { readonly keys: readonly { readonly k: string }[] }
  }[]
}

/** Every secret opens to what its writer gave, and the gate goes by it. */
async function secretsOpen(serving: Serving, { survivors }: Verdict): Promise<void> {
  const client = clientOf(serving, TOKEN)
  const api = judgedFetch(serving.origin)
  const headers = { authorization: `Bearer ${TOKEN}` }
  for (const zone_id of zoneIds) {
    const address = `${serving.origin}/client/v4/zones/${zone_id}/gate/policy`
    const policy = (await (await api(address, { headers })).json()) as GatePolicy
    const secrets = policy.token_configurations.map(({ id, credentials }) => [
      id,
      ...credentials.keys.map(({ k }) => k),
    ])
    const configurations = survivors.filter(
      ({ thing }) => thing.zone === zone_id && thing.kind === 'token_configuration',
    )
    const expected = configurations.map(({ thing, state }) => [thing.id, secretOf(state!['kid']!)])
    expect(secrets.toSorted()).toEqual(expected.toSorted())
    const [one] = configurations
    if (one === undefined) continue
    const host = hostOf(zone_id)
    await client.apiGateway.operations.create({ zone_id, method: 'GET', host, endpoint: '/orders' })
    await client.tokenValidation.rules.create({
      zone_id,
      title: 'The last',
      description: '',
      action: 'block',
      enabled: true,
      expression: `is_jwt_valid("${one.thing.id}")`,
      selector: { include: [{ host: [host] }] },
      position: { index: 1 },
    } as never)
    const kid = one.state!['kid']!
    const signed = (secret: string) =>
      makeToken({
        alg: 'HS256',
        kid,
        jwk: {},
        privateKey: createSecretKey(Buffer.from(secret, 'base64url')),
      })
    const ask = async (token: string) =>
      (await through(serving, host, '/orders', { authorization: `Bearer ${token}` })).status
    // A zone of many rules is in force a moment after the answer.
    await expect
      .poll(
        async () => [await ask(signed(secretOf(kid))), await ask(signed(secretOf('another')))],
        {
          timeout: 10_000,
        },
      )
      .toEqual([200, 401])
  }
}
