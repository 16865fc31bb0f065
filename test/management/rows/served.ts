import { serve } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Schema } from '../../../src/management/store/index.js'
import { contractOf } from '../contract.js'
import { answerOf, createZoneStage, requestTo, type Stage } from '../stage.js'

/** The API with a zone on a port of its own; what it takes and answers is judged by its document. */
export interface Served {
  readonly stage: Stage
  readonly call: Stage['call']
}

/** One for the tests of a file, each of which finds these tables empty. */
export function servedFor(...tables: readonly (keyof Schema)[]): Served {
  let started: Served & { close(): Promise<void> }
  beforeAll(async () => {
    started = await startServed()
  })
  afterAll(() => started.close())
  if (tables.length > 0)
    beforeEach(async () => {
      for (const table of tables) await started.stage.db.deleteFrom(table).execute()
    })
  return {
    call: (...given) => started.call(...given),
    get stage() {
      return started.stage
    },
  }
}

async function startServed(): Promise<Served & { close(): Promise<void> }> {
  const stage = await createZoneStage()
  const server = serve({ fetch: stage.management.fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const contract = await contractOf(fetch, origin)

  const call: Served['call'] = async (method, path, body, how = {}) =>
    answerOf(await contract.fetch(requestTo(`${origin}/client/v4${path}`, method, body, how)))
  return {
    stage,
    call,
    async close() {
      stage.management.close()
      await new Promise((resolve) => server.close(resolve))
      await stage.close()
    },
  }
}
