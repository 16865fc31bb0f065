import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { judged } from './contract.js'
import { ADMIN, BASE, createZoneStage, ZONE, type Stage } from './stage.js'

/** Clocks that a test turns by hand, by how often they would strike. */
let clocks: { readonly milliseconds: number; readonly run: () => void }[]
let stage: Stage

beforeEach(async () => {
  clocks = []
  stage = await createZoneStage(undefined, {
    every(milliseconds, run) {
      const clock = { milliseconds, run }
      clocks.push(clock)
      return () => void (clocks = clocks.filter((each) => each !== clock))
    },
  })
})
afterEach(async () => {
  stage.management.close()
  await stage.close()
  expect(stage.faults).toEqual([])
})

const strike = (milliseconds: number) => {
  for (const clock of clocks) if (clock.milliseconds === milliseconds) clock.run()
}
const HEARTBEAT_MS = 15_000

async function listen(): Promise<ReadableStreamDefaultReader<string>> {
  const { body } = await judged(stage.management.fetch)(
    new Request(`${BASE}/zones/${ZONE}/gate/events`, {
      headers: { authorization: `Bearer ${ADMIN}` },
    }),
  )
  return body!.pipeThrough(new TextDecoderStream()).getReader()
}

async function next(reader: ReadableStreamDefaultReader<string>): Promise<string | undefined> {
  const { done, value } = await reader.read()
  return done ? undefined : value
}

describe('a stream of events without events', () => {
  test('tells how soon to come again, the version in force, and each 15 s that it is there', async () => {
    const reader = await listen()
    expect(await next(reader)).toBe('retry: 1000\n\n')
    expect(await next(reader)).toMatch(/^event: policy\nid: 1\ndata: .*\n\n$/)
    for (let beat = 0; beat < 3; beat++) {
      strike(HEARTBEAT_MS)
      expect(await next(reader)).toBe(': still here\n\n')
    }
    await reader.cancel()
  })

  test('ends its heartbeat with the client, and with management', async () => {
    const reader = await listen()
    await next(reader)
    expect(clocks.map(({ milliseconds }) => milliseconds)).toContain(HEARTBEAT_MS)
    await reader.cancel()
    expect(clocks).toEqual([])
    const other = await listen()
    await next(other)
    await next(other)
    stage.management.close()
    expect(await next(other)).toBeUndefined()
    expect(clocks).toEqual([])
  })

  test('ends when the client reads nothing of it any more', async () => {
    const reader = await listen()
    await next(reader)
    await next(reader)
    for (let beat = 0; beat < 100; beat++) strike(HEARTBEAT_MS)
    expect(clocks).toEqual([])
    let beats = 0
    while ((await next(reader)) !== undefined) beats++
    expect(beats).toBeGreaterThan(0)
    expect(beats).toBeLessThan(100)
  })
})

describe('a gate that tells what it runs', () => {
  const PATH = `/zones/${ZONE}/gate/instances`
  const report = { instance: 'one', version: 1, hash: '', started_at: '2026-01-31T11:00:00Z' }
  const stateAfter = async (milliseconds: number) => {
    stage.clock += milliseconds
    return (await stage.call('GET', PATH)).json.list[0]?.['state']
  }

  test('is silent when a minute has passed without a word, and runs again with the next', async () => {
    await stage.call('POST', PATH, report)
    expect(await stateAfter(0)).toBe('running')
    expect(await stateAfter(60_000)).toBe('running')
    expect(await stateAfter(1)).toBe('silent')
    await stage.call('POST', PATH, report)
    expect(await stateAfter(0)).toBe('running')
  })

  test('one that is silent does not silence another', async () => {
    await stage.call('POST', PATH, report)
    stage.clock += 30_000
    await stage.call('POST', PATH, { ...report, instance: 'two' })
    stage.clock += 31_000
    const { json } = await stage.call('GET', PATH)
    expect(json.list.map(({ instance, state }) => [instance, state])).toEqual([
      ['one', 'silent'],
      ['two', 'running'],
    ])
  })
})
