import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import { changeZone } from '../../src/management/store/index.js'
import { createZoneStage, ZONE, type More, type Stage } from '../management/stage.js'

export const RULES = `/zones/${ZONE}/token_validation/rules`
export const HOST = 'api.example.com'

/** A management server that listens and may be away for a while, with a zone before an upstream. */
export interface ManagementServer {
  readonly stage: Stage
  /** Where gates find the policy of the zone. */
  readonly policyUrl: string
  /** A token with the permission of gates, in the zone. */
  readonly gateToken: string
  /** Of the one rule: it refuses every request when it is enabled. */
  readonly rule: string
  /** Saves whether the rule refuses. */
  refuse(enabled: boolean): Promise<void>
  /** Stores an expression of the rule that the API would refuse: newer ones may know of it. */
  change(expression: string, enabled?: boolean): Promise<void>
  listen(): Promise<void>
  /** Is away: nothing listens, open connections break. */
  leave(): Promise<void>
  close(): Promise<void>
}

export async function startManagement(more: More = {}): Promise<ManagementServer> {
  const stage = await createZoneStage(undefined, more)
  const upstream = createServer((_, response) => response.end('from upstream'))
  await new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done()))
  await stage.call('PATCH', `/zones/${ZONE}`, { upstream: addressOf(upstream) })
  const operation = { method: 'GET', host: HOST, endpoint: '/orders' }
  await stage.call('POST', `/zones/${ZONE}/api_gateway/operations/item`, operation)
  const made = await stage.call('POST', RULES, {
    action: 'block',
    expression: 'false',
    enabled: false,
  })
  const rule = String(made.json.result['id'])
  let server: ServerType | undefined
  let port = 0
  async function listen(): Promise<void> {
    const { fetch } = stage.management
    await new Promise<void>((done) => {
      server = serve({ fetch, hostname: '127.0.0.1', port }, (info) => {
        port = info.port
        done()
      })
    })
  }
  async function leave(): Promise<void> {
    const gone = new Promise((done) => server?.close(done))
    ;(server as Server).closeAllConnections()
    await gone
  }
  await listen()
  return {
    stage,
    policyUrl: `http://127.0.0.1:${port}/client/v4/zones/${ZONE}/gate/policy`,
    gateToken: await stage.token(['gate'], `zone:${ZONE}`),
    rule,
    async refuse(enabled) {
      const { status, text } = await stage.call('PATCH', `${RULES}/${rule}`, { enabled })
      if (status !== 200) throw new Error(text)
    },
    async change(expression, enabled = true) {
      const actor = { id: 'tests', name: 'tests' }
      const origin = { actor, request_id: 'r', at: stage.clock * 1000, zone_id: ZONE }
      await changeZone(stage.db, randomUUID, { ...origin, parts: ['rules'] }, ({ tx }) =>
        tx
          .updateTable('rules')
          .set({ expression, enabled: enabled ? 1 : 0 })
          .where('zone_id', '=', ZONE)
          .execute(),
      )
    },
    listen,
    leave,
    async close() {
      stage.management.close()
      await leave()
      upstream.closeAllConnections()
      upstream.close()
      await stage.close()
    },
  }
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
